import { FileRefused } from "../../files/refused.ts";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MoreNeeded, type ReadOptions } from "../../check/formats/export.ts";
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

/** What is asked for or refused before any answer is given. */
async function firstReply(file: string) {
  const error = await readText(file).catch((thrown: unknown) => thrown);
  if (error instanceof MoreNeeded)
    return { asks: error.questions.map(({ option }) => option), words: error.message };
  return { asks: undefined, words: error instanceof FileRefused ? error.message : "" };
}

test.each(CASES)("$name: what is asked or refused", async ({ answers, file }) => {
  const { asks, says = "", refused } = answers;
  const reply = await firstReply(file);
  expect(reply.asks).toEqual(asks);
  expect(reply.words).toContain(refused ?? says);
  expect(reply.words === "").toBe(asks === undefined && refused === undefined);
});

const isRead = ({ answers: { asks, options, refused } }: (typeof CASES)[number]) =>
  refused === undefined && (asks === undefined || options !== undefined);

test.each(CASES.filter(isRead))("$name: what is judged", async ({ answers, file }) => {
  const { warns = [], warns_not: never = [], left_out: left = [] } = answers;
  const read = await readText(file, answers.options);
  const panel = buildPanel(read.rows!);
  const codes = [...read.warnings, ...panel.warnings].map(({ code }) => code);
  if (read.doubt !== undefined) codes.push("suspected_deposits");
  expect(codes).toEqual(expect.arrayContaining([...warns]));
  expect(codes.filter((code) => never.includes(code))).toEqual([]);
  const leftOut = (read.columns ?? [])
    .filter(({ use }) => use === "left_out")
    .map(({ name }) => name);
  expect(leftOut).toEqual(expect.arrayContaining([...left]));
  const total = 100 * totalReturn(panel.columns[0]!, 0, panel.instants.length);
  const found = {
    judged: panel.names.join(),
    variants: panel.names.length,
    bars: panel.instants.length,
    total_return_pct: Number(total.toFixed(6)),
    market: read.market,
    realised: read.realisedOnly,
  };
  const { total_return_pct: wanted } = answers;
  const rounded = wanted === undefined ? {} : { total_return_pct: Number(wanted.toFixed(6)) };
  const names = Object.keys(found).filter((name) => name in answers);
  const expected = Object.fromEntries(names.map((name) => [name, answers[name as keyof Answers]]));
  expect(found).toMatchObject({ ...expected, ...rounded });
});
