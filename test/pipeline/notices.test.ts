import { expect, test } from "vitest";
import { noticesOf } from "../../pipeline/notices.ts";
import { applyPriceRules } from "../../pipeline/price-rules.ts";
import { parseCsv } from "../../pipeline/sources/csv-rows.ts";
import { dateOfDay } from "../../quant/calendar.ts";

const NOTHING = { missing: [], failed: [] };
const row = (day: number) => `${dateOfDay(day)},2,3,1,2,10\n`;
const ROWS = Array.from({ length: 300 }, (_, index) => row(19_000 + index));

/** The notices of a run over one file. */
function noticesOfFile(rows: string, asOf = 19_299): string[] {
  const parsed = parseCsv(`date,open,high,low,close,volume\n${rows}`);
  if (!parsed.ok) throw new Error(parsed.why);
  const coin = { ticker: "abc", whole: true, fetchedFrom: null, fault: null, ...parsed };
  const clean = applyPriceRules({ coin, horizon: { asOf, today: null } });
  return noticesOf([{ board: { ticker: "abc", name: "", symbol: "" }, clean }], NOTHING);
}

test("says nothing about a file in order, even if it goes on after as_of", () => {
  expect(noticesOfFile(ROWS.join(""))).toEqual([]);
  expect(noticesOfFile(ROWS.join(""), 19_010)).toEqual([]);
});

test("says when the last line has no line break", () => {
  expect(noticesOfFile(ROWS.join("").trimEnd())).toEqual([
    "abc: the file's last line has no line break, so it may be cut short and was refused",
  ]);
});

test("says when most rows were refused, and the commonest reason", () => {
  expect(noticesOfFile(ROWS.toReversed().join(""))).toEqual([
    "abc: 299 of 300 rows were refused, most often as out_of_order",
  ]);
  const odd = ROWS.map((text, index) => (index < 200 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(odd.join(""))).toEqual([
    "abc: 200 of 300 rows were refused, most often as price_not_positive",
  ]);
  const half = ROWS.map((text, index) => (index < 150 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(half.join(""))).toEqual([]);
});

test("names coins that the source does not have or could not deliver", () => {
  const failed = [{ ticker: "eth", message: "eth.csv: the file is empty" }];
  expect(noticesOf([], { missing: ["btc", "xrp"], failed })).toEqual([
    "the source does not have btc, xrp",
    "eth: eth.csv: the file is empty",
  ]);
});
