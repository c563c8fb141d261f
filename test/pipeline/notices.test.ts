import { expect, test } from "vitest";
import { noticesOf } from "../../pipeline/notices.ts";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import type { CleanCoin, Horizon } from "../../pipeline/price-rules.ts";
import { parseCsv } from "../../pipeline/sources/csv-rows.ts";
import { dateOfDay } from "../../quant/calendar.ts";

const NOTHING = { missing: [], failed: [] };
const row = (day: number) => `${dateOfDay(day)},2,3,1,2,10\n`;
const ROWS = Array.from({ length: 300 }, (_, index) => row(19_000 + index));

const BY_DATE: Horizon = { asOf: 19_299, today: null };

/** A coin's history from one file. */
function cleanOf(rows: string, horizon: Horizon = BY_DATE, previous?: CleanCoin): CleanCoin {
  const parsed = parseCsv(`date,open,high,low,close,volume\n${rows}`);
  if (!parsed.ok) throw new Error(parsed.why);
  const coin = { ticker: "abc", whole: true, fetchedFrom: null, fault: null, ...parsed };
  return applyPriceRules({ coin, horizon, previous });
}

/** The notices of a run over one file. */
function noticesOfFile(...file: Parameters<typeof cleanOf>): string[] {
  const board = { ticker: "abc", name: "", symbol: "" };
  return noticesOf([{ board, clean: cleanOf(...file) }], NOTHING);
}

test("says nothing about a file in order, even if it goes on after as_of", () => {
  expect(noticesOfFile(ROWS.join(""))).toEqual([]);
  expect(noticesOfFile(ROWS.join(""), { asOf: 19_010, today: null })).toEqual([]);
});

test("says when the last line has no line break", () => {
  expect(noticesOfFile(ROWS.join("").trimEnd())).toEqual([
    "abc: the file's last line has no line break, so it may be cut short and was refused",
  ]);
});

test("says when most rows were refused, and the commonest reason", () => {
  expect(noticesOfFile(ROWS.toReversed().join(""))).toEqual([
    "abc: 299 of 300 rows were refused, most often as out_of_order, such as line 3: " +
      "sort the rows by date, the oldest day first",
  ]);
  const odd = ROWS.map((text, index) => (index < 200 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(odd.join(""))).toEqual([
    "abc: 200 of 300 rows were refused, most often as price_not_positive, such as line 2: 2022-01-08,2,0,1,2,10",
  ]);
  const half = ROWS.map((text, index) => (index < 150 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(half.join(""))).toEqual([]);
});

test("says where most rows could not be read what was expected in the first of them", () => {
  const dollars = ROWS.map((text) => text.replace(",3,", ",$3,"));
  expect(noticesOfFile(dollars.join(""))).toEqual([
    "abc: 300 of 300 rows were refused, most often as invalid_number, such as line 2: " +
      '"high": expected a plain number such as 1234.5, got "$3"',
  ]);
  const hours = ROWS.flatMap((text) => [text, text.replace(",10", ",11")]);
  expect(noticesOfFile(hours.join(""))).toEqual([
    "abc: 600 of 600 rows were refused, most often as conflicting_duplicate, such as line 2: " +
      "there is one row a day, and several of its day differ",
  ]);
});

test("takes neither repeats nor the row of today for refusals", () => {
  expect(noticesOfFile(ROWS.flatMap((text) => [text, text, text]).join(""))).toEqual([]);
  const today = { asOf: 19_000, today: 19_001 };
  expect(noticesOfFile(ROWS.slice(0, 2).join(""), today)).toEqual([]);
  expect(noticesOfFile(ROWS.slice(0, 1).join("") + row(19_001).repeat(3), today)).toEqual([]);
});

test("names the commonest of several reasons, wherever it comes first", () => {
  const odd = ROWS.map((text, index) =>
    index < 50 ? text.replace(",10", ",-1") : index < 200 ? text.replace(",3,", ",0,") : text,
  );
  expect(noticesOfFile(odd.join(""))[0]).toMatch(
    /^abc: 200 of 300 rows were refused, most often as price_not_positive, such as line 52: /,
  );
});

test("says what the source changed or took back of what was published", () => {
  const before = cleanOf(ROWS.join(""));
  const other = (count: number) =>
    ROWS.map((text, index) => (index < count ? text.replace(",10", ",11") : text)).join("");
  expect(noticesOfFile(other(1), BY_DATE, before)).toEqual([
    "abc: the source changed 1 published day",
  ]);
  expect(noticesOfFile(other(2), BY_DATE, before)).toEqual([
    "abc: the source changed 2 published days",
  ]);
  expect(noticesOfFile(ROWS.slice(0, -1).join(""), BY_DATE, before)).toEqual([
    "abc: the source withdrew 1 published day",
  ]);
});

test("says where a history starts anew", () => {
  const gapped = ROWS.filter((_, index) => index < 100 || index >= 104).join("");
  expect(noticesOfFile(gapped)).toEqual([
    `abc: the history starts anew on ${dateOfDay(19_104)}, behind a long gap`,
  ]);
});

test("names coins that the source does not have or could not deliver", () => {
  const failed = [{ ticker: "eth", message: "eth.csv: the file is empty" }];
  expect(noticesOf([], { missing: ["btc", "xrp"], failed })).toEqual([
    "the source does not have btc, xrp",
    "eth: eth.csv: the file is empty",
  ]);
});
