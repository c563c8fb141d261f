import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MoreNeeded, type ReadExport, type ReadOptions } from "../../check/formats/export.ts";
import { buildPanel } from "../../quant/check/build-panel.ts";
import { totalReturn } from "../../quant/engine/statistics.ts";
import { readText } from "./formats/files.ts";

/** The first line of a case says what the file below it is to be read as. */
interface Answers {
  readonly judged?: string;
  readonly variants?: number;
  readonly bars?: number;
  readonly total_return_pct?: number;
  readonly market?: string;
  readonly left_out?: readonly string[];
  readonly realised?: boolean;
  readonly warns?: readonly string[];
  readonly warns_not?: readonly string[];
  /** The options that are asked for, and what then answers them. */
  readonly asks?: readonly (keyof ReadOptions)[];
  readonly options?: ReadOptions;
  readonly says?: string;
  readonly refused?: string;
}

const FOLDER = new URL("cases/tables/", import.meta.url);
const CASES = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(new URL(name, FOLDER), "utf8");
  const end = text.indexOf("\n");
  return {
    name: name.replace(".case", ""),
    answers: JSON.parse(text.slice(0, end)) as Answers,
    file: text.slice(end + 1),
  };
});

test.each(CASES)("$name", async ({ answers, file }) => {
  const { asks, says = "", refused, options } = answers;
  if (refused !== undefined) {
    await expect(readText(file)).rejects.toThrow(refused);
    return;
  }
  if (asks !== undefined) {
    const asked = await readText(file).catch((error: unknown) => error);
    expect(asked).toBeInstanceOf(MoreNeeded);
    expect((asked as MoreNeeded).questions.map(({ option }) => option)).toEqual(asks);
    expect((asked as MoreNeeded).message).toContain(says);
    if (options === undefined) return;
  }
  expectAnswers(await readText(file, options), answers);
});

function expectAnswers(read: ReadExport, answers: Answers): void {
  const panel = buildPanel(read.rows!);
  const codes = [...read.warnings, ...panel.warnings].map(({ code }) => code);
  if (read.doubt !== undefined) codes.push("suspected_deposits");
  expect(codes).toEqual(expect.arrayContaining([...(answers.warns ?? [])]));
  for (const code of answers.warns_not ?? []) expect(codes).not.toContain(code);
  if (answers.judged !== undefined) expect(panel.names).toEqual([answers.judged]);
  if (answers.variants !== undefined) expect(panel.names).toHaveLength(answers.variants);
  if (answers.bars !== undefined) expect(panel.instants).toHaveLength(answers.bars);
  if (answers.total_return_pct !== undefined) {
    const total = 100 * totalReturn(panel.columns[0]!, 0, panel.instants.length);
    expect(total).toBeCloseTo(answers.total_return_pct, 6);
  }
  if (answers.market !== undefined) expect(read.market).toBe(answers.market);
  const left = read.columns!.filter(({ use }) => use === "left_out").map(({ name }) => name);
  expect(left).toEqual(expect.arrayContaining([...(answers.left_out ?? [])]));
  expect(read.realisedOnly ?? false).toBe(answers.realised ?? false);
}
