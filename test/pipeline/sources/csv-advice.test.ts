import { describe, expect, test } from "vitest";
import { parseCsv, ROWS_MAX } from "../../../pipeline/sources/csv-rows.ts";
import { PRICES_HEADER } from "../../support/prices-file.ts";

const ROW = "2020-01-02,10,12,9,11,1000.5";

function parseRows(text: string) {
  const parsed = parseCsv(text);
  if (!parsed.ok) throw new Error(parsed.why);
  return parsed;
}

describe("a file in the format of another program", () => {
  test.each([
    [
      "Binance's archive",
      `1735689600000000,${ROW}`,
      "the file has no header, it begins with a row",
    ],
    ["Kraken's archive", "1381017600,122,123,121,122,0.1,1", "the file has no header"],
    ["no header", ROW, "the file has no header"],
    ["Yahoo", "Date,Open,High,Low,Close,Adj Close,Volume", 'leave out the column "Adj Close"'],
    ["pandas", ",date,open,high,low,close,volume", 'leave out the column ""'],
    ["capitals", "Date,Open,High,Low,Close,Volume", "names are in lower case"],
    ["quotes", '"date","open","high","low","close","volume"', "without quotes or blanks"],
    ["Stooq", "Date,Open,High,Low,Close", '"volume" is missing'],
    [
      "CoinGecko",
      "snapped_at,price,market_cap,total_volume",
      /, got "snapped_at,price,market_cap,total_volume"$/,
    ],
    [
      "CryptoDataDownload",
      "https://www.CryptoDataDownload.com",
      "delete the line before the header",
    ],
    ["semicolons", "date;open;high;low;close;volume", "cells are separated by commas"],
    ["tabs", "date\topen\thigh\tlow\tclose\tvolume", "cells are separated by commas"],
    ["two names less", "date,open,high,low", '"close" and "volume" are missing'],
    ["old line breaks", `${PRICES_HEADER}\r${ROW}\r`, "its lines end in CR alone"],
    ["gzip", "\u001F\uFFFD\b\u0000", "the file is compressed: unpack it"],
    ["trades", "date,open,high,low,close,volume,trades", 'leave out the column "trades"'],
    ["a name twice", "date,open,high,low,close,close,volume", "a name is repeated"],
    ["a misspelt name", "date,open,hihg,low,close,volume", /got ".*hihg.*": "high" is missing$/],
    ["a first line without text", "", /, got ""$/],
    ["one endless line", "x".repeat(100_000), /, got "x+…"$/],
    ["UTF-16", "\uFFFD\uFFFDd\u0000a\u0000t\u0000", "the file is not UTF-8 text"],
  ])("of %s is refused with what to change", (_, header, expected) => {
    const parsed = parseCsv(`${header}\n${ROW}\n`);
    expect(parsed).toMatchObject({ ok: false, reason: "header_invalid" });
    const why = parsed.ok ? "" : parsed.why;
    expect(why).toMatch(expected);
    expect(why).toMatch(/^expected the header date,open,high,low,close,volume in any order, /);
    expect(why.length).toBeLessThan(350);
  });

  test.each([
    [
      "2020-01-02T00:00:00Z,1,1,1,1,1",
      '"date": expected a UTC day YYYY-MM-DD, got "2020-01-02T00:00:00Z"',
    ],
    ["2020-01-02,1,1,1,$1,1", '"close": expected a plain number such as 1234.5, got "$1"'],
    ["2020-01-02,1,1,1,1,", '"volume": expected a plain number such as 1234.5, got ""'],
    ["2020-01-02,1,1,1,1", "expected 6 cells separated by commas, got 5"],
    [
      '2020-01-02,"1,000",1,1,1,1',
      "expected 6 cells separated by commas, got 7, and quotes are not read",
    ],
    [`2020-01-02,${"1".repeat(2000)},1,1,1,1`, "expected at most 1000 characters"],
  ])("has its first row explained: %j", (row, why) => {
    const { faults } = parseRows(`${PRICES_HEADER}\n${row}\n${row}\n${ROW}\n`);
    expect(
      faults.map((fault) => fault.why),
      "once",
    ).toEqual([why, undefined]);
  });

  test("of more rows than there are days is not read on", () => {
    const rows = (count: number) => parseCsv(`${PRICES_HEADER}\n${"x\n".repeat(count)}`);
    expect(rows(ROWS_MAX)).toMatchObject({ ok: true });
    expect(rows(ROWS_MAX + 1)).toEqual({
      ok: false,
      reason: "file_too_large",
      why: "more than 100000 lines of rows",
    });
    expect(parseCsv(`${PRICES_HEADER}\n${"\n".repeat(ROWS_MAX + 1)}`)).toMatchObject({ ok: false });
  });
});
