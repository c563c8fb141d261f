import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { HEADERLESS, LAYOUTS } from "../../../pipeline/sources/csv-layouts.ts";
import { parseCsv, type ParsedFile } from "../../../pipeline/sources/csv-rows.ts";
import { sheetOf } from "../../../pipeline/sources/csv-sheet.ts";
import { dateOfDay } from "../../../quant/calendar.ts";

/** Five made-up days of btc, as each provider writes them, and what is to be said of its file. */
const FOLDER = fileURLToPath(new URL("../../fixtures/price-files/", import.meta.url));
const { rows: ROWS, files: FILES } = JSON.parse(readFileSync(`${FOLDER}answers.json`, "utf8")) as {
  rows: (string | number)[][];
  files: Record<string, { notices?: string[]; refused?: string }>;
};
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".csv"));
const READ = NAMES.filter((name) => FILES[name]?.refused === undefined);
const textOf = (name: string) => readFileSync(FOLDER + name, "utf8");

/** The rows of a file as the answers write them. */
function barsOf(parsed: ParsedFile): unknown {
  if (!parsed.ok) return parsed.why;
  expect(parsed.faults).toEqual([]);
  return parsed.rows.map(({ day, open, high, low, close, volume }) => {
    return [dateOfDay(day), open, high, low, close, volume];
  });
}

test("every file has its answer, and every provider a file", () => {
  expect(Object.keys(FILES).sort()).toEqual(NAMES.sort());
  const heads = NAMES.map((name) =>
    sheetOf(textOf(name).replace("\uFEFF", "").split("\n").slice(0, 5), "btc"),
  );
  const seen = new Set(heads.map((sheet) => ("layout" in sheet ? sheet.layout.provider : "")));
  const known = [...LAYOUTS, ...HEADERLESS.map(({ layout }) => layout)];
  const missing = known.filter(
    ({ provider: of, refused }) => refused === undefined && !seen.has(of),
  );
  expect(missing).toEqual([]);
});

test.each(READ)("%s is read as it is", (name) => {
  const parsed = parseCsv(textOf(name), { ticker: "btc" });
  expect(barsOf(parsed)).toEqual(ROWS);
  expect(parsed).toMatchObject({ notices: FILES[name]?.notices ?? [] });
});

test.each(NAMES.filter((name) => !READ.includes(name)))("%s is refused by name", (name) => {
  const why = expect.stringContaining(FILES[name]?.refused ?? "") as string;
  expect(parseCsv(textOf(name))).toEqual({ ok: false, reason: "header_invalid", why });
});

test("a dash, or nothing, for a page's volume is none, and said", () => {
  const text = textOf("investing.csv").replace('"1.20K"', '"-"').replace('"2.50K"', '""');
  const parsed = parseCsv(text);
  expect(parsed).toMatchObject({
    rows: [{ volume: 2000 }, { volume: 1500 }, { volume: 4000 }, { volume: 0 }, { volume: 0 }],
    notices: ["2 days have no volume in the file: it is taken as 0"],
  });
});

test.each([
  ["17.32K", 17_320],
  ["1.2M", 1_200_000],
  ["0.07B", 70_000_000],
  ["3T", 3e12],
  ["1,234,567.5", 1_234_567.5],
  ["$12", 12],
  ["950", 950],
])("a page's %s is %d", (cell, volume) => {
  const parsed = parseCsv(textOf("investing.csv").replace("1.20K", cell));
  expect(parsed.ok && parsed.rows.at(-1)?.volume).toBe(volume);
});

test.each(["1,23", "12,34.5", "1.2 K", "K", "1.2X", "€12", "1.234,5", "-1.2K"])(
  "a page's %j is none",
  (cell) => {
    const parsed = parseCsv(textOf("investing.csv").replace("1.20K", cell));
    expect(parsed).toMatchObject({ faults: [{ reason: "invalid_number" }] });
  },
);

describe("of a file that another program has saved", () => {
  const saved: [string, (text: string) => string][] = [
    ["CRLF", (text) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text) => `\uFEFF${text.replace("\uFEFF", "")}`],
    ["blank lines at its end", (text) => `${text}\n\r\n`],
    ["quotes around each cell", (text) => mapCells(text, (cells) => cells)],
    ["tabs", (text) => mapCells(text, (cells) => cells, "\t")],
    ["its rows the other way round", turned],
    ["its columns the other way round", (text) => mapCells(text, (cells) => cells.toReversed())],
    ["its columns in another order", (text) => mapCells(text, shuffled)],
  ];

  test.each(saved)("the rows are the same, with %s", (what, change) => {
    for (const name of READ) {
      const isBare = /^(kraken|binance(-microseconds)?\.)/.test(name);
      const isInOrder = /^(tradingview|yahoo-(three|by|one))/.test(name); // their header's order tells them
      if (what.includes("columns") && (isBare || isInOrder)) continue;
      expect(barsOf(parseCsv(change(textOf(name)), { ticker: "btc" })), `of ${name}`).toEqual(ROWS);
    }
  });
});

/** Rows of a file with their cells quoted and moved; a title stays. */
function mapCells(text: string, move: (cells: string[]) => string[], separator = ","): string {
  const own = text.includes(";") ? ";" : ",";
  const lines = text.replace("\uFEFF", "").trimEnd().split("\n");
  const moved = lines.map((line) => {
    if (/cryptodatadownload/i.test(line)) return line;
    const cells = [...line.matchAll(new RegExp(`(?:"([^"]*)"|([^${own}]*))(?:${own}|$)`, "g"))];
    const texts = cells.map(([, quoted, plain]) => quoted ?? plain ?? "");
    const count = line.replaceAll(/"[^"]*"/g, "").split(own).length;
    return move(texts.slice(0, count))
      .map((cell) => `"${cell}"`)
      .join(separator);
  });
  return `${moved.join("\n")}\n`;
}

function shuffled(cells: string[]): string[] {
  const half = cells.length >> 1;
  return [...cells.slice(half), ...cells.slice(0, half)];
}

function turned(text: string): string {
  const lines = text.trimEnd().split("\n");
  const rows = lines.slice(-ROWS.length);
  return [...lines.slice(0, -ROWS.length), ...rows.toReversed(), ""].join("\n");
}
