import { FileRefused } from "../../files/refused.ts";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MoreNeeded, type ReadOptions } from "../../check/formats/export.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { buildPanel } from "../../quant/check/build-panel.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";

/** What a file gives, by rules that `cases/trades/make.py` states; a case is a file and an entry. */
interface Answer {
  readonly format: string;
  readonly asks?: readonly string[];
  readonly options?: ReadOptions;
  readonly refused?: string;
  readonly capital?: number;
  readonly warns?: readonly string[];
  readonly warns_not?: readonly string[];
  readonly bars?: number;
  readonly sharpe?: number;
  readonly total_return?: number;
  readonly variants?: number;
  /** The column that counted as profit. */
  readonly judged?: string;
  /** The columns that a refusal asks for, by name, with their cells, and what the file then earns. */
  readonly advice?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly advised_return?: number;
}

const FOLDER = new URL("cases/trades/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER));
const ANSWERS = JSON.parse(read("answers.json").toString()) as Record<string, Answer>;

const isRefused = ([, { refused }]: readonly [string, Answer]) => refused !== undefined;
const ENTRIES = Object.entries(ANSWERS);
const failure = (name: string, options: ReadOptions): Promise<unknown> =>
  readExport(read(name), options).catch((thrown: unknown) => thrown);

test.each(ENTRIES.filter(isRefused))("%s is refused", async (name, { options = {}, refused }) => {
  const error = await failure(name, options);
  expect(error).toBeInstanceOf(FileRefused);
  expect((error as Error).message).toContain(refused);
});

const totalOf = (returns: Float64Array) =>
  returns.reduce((growth, rate) => growth * (1 + rate), 1) - 1;

test.each(ENTRIES.filter(([, { advice }]) => advice !== undefined))(
  "%s is read once its refusal's advice is followed",
  async (name, { advice, options, advised_return: expected }) => {
    const [[column, cells]] = Object.entries(advice!) as [[string, readonly (string | number)[]]];
    const [header, ...rows] = read(name).toString().trimEnd().split("\n");
    const text = [`${header},${column}`, ...rows.map((row, at) => `${row},${cells[at]}`)].join(
      "\n",
    );
    expect((await failure(name, options!)) as Error).toHaveProperty(
      "message",
      expect.stringContaining(`column ${column === "pnl" ? "pnl" : '"symbol"'}`),
    );
    const { rows: found } = await readExport(Buffer.from(text), options);
    expect(totalOf(buildPanel(found!).columns[0]!)).toBeCloseTo(expected!, 9);
  },
);

test.each(ENTRIES.filter((entry) => !isRefused(entry)))("%s", async (name, answer) => {
  const { options = {}, asks = [], warns = [], warns_not: not = [] } = answer;
  const given: Record<string, unknown> = {};
  for (const option of asks) {
    const error = await failure(name, given);
    expect(error).toBeInstanceOf(MoreNeeded);
    expect((error as MoreNeeded).questions.map((each) => each.option)).toContain(option);
    given[option] = options[option as keyof ReadOptions];
  }
  const found = await readExport(read(name), options);
  const codes = found.warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining([...warns, "realised_only"]));
  expect(codes.filter((code) => not.includes(code))).toEqual([]);
  expect(found.format).toBe(answer.format);
  expect(found.trades!.capital).toBe(answer.capital ?? options.startingCapital ?? 1);
  const { columns } = buildPanel(found.rows!);
  const [returns] = columns;
  expect(columns).toHaveLength(answer.variants ?? columns.length);
  const judged = found.columns?.find(({ use }) => use === "judged")?.name;
  expect(judged).toBe(answer.judged ?? judged);
  expect(returns).toHaveLength(answer.bars!);
  expect(inferSharpe(returns!).sharpe * Math.sqrt(365)).toBeCloseTo(answer.sharpe!, 7);
  expect(totalOf(returns!)).toBeCloseTo(answer.total_return!, 9);
});

test("every file has an answer", () => {
  const files = readdirSync(FOLDER).filter((name) => !/^(answers\.json|make\.py)$/.test(name));
  expect(Object.keys(ANSWERS).toSorted()).toEqual(files.toSorted());
});

test("a list that does not name its days says which ones are judged", async () => {
  const rows = ["2024-01-05,2024-01-09,100", "2024-02-01,2024-03-07,-20"];
  const csv = ["entry_date,exit_date,profit", ...rows, ""].join("\n");
  const { warnings } = await readExport(Buffer.from(csv), { startingCapital: 1000 });
  expect(warnings.find(({ code }) => code === "window_of_trades")?.message).toMatch(
    /before the first trade, on 2024-01-05, and after the last, on 2024-03-07, .* left out/,
  );
});
