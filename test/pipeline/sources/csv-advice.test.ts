import { describe, expect, test } from "vitest";
import { parseCsv, ROWS_MAX } from "../../../pipeline/sources/csv-rows.ts";
import { parsed } from "../../support/parsed-prices.ts";
import { PRICES_HEADER } from "../../support/prices-file.ts";

const ROW = "2020-01-02,10,12,9,11,1000.5";

describe("a file in an unknown format", () => {
  test.each([
    ["no header", ROW, "the file has no header"],
    ["pandas' days without a name", ",open,high,low,close,volume", 'drop ""; add "date"'],
    ["Stooq without volume", "Date,Open,High,Low,Close", 'add "volume"'],
    ["two names less", "date,open,high,low", 'add "close" and "volume"'],
    ["old line breaks", `${PRICES_HEADER}\r${ROW}\r`, "its lines end in CR alone"],
    ["gzip", "\u001F\uFFFD\b\u0000", "the file is compressed: unpack it"],
    ["trades", "date,open,high,low,close,volume,trades", 'drop "trades"'],
    ["a name twice", "date,open,high,low,close,close,volume", 'drop "close"'],
    ["a misspelt name", "date,open,hihg,low,close,volume", 'drop "hihg"; add "high"'],
    ["one endless line", "x".repeat(100_000), /, got "x+…"$/],
    ["UTF-16", "\uFFFD\uFFFDd\u0000a\u0000t\u0000", "the file is not UTF-8 text"],
    [
      "names of one's own",
      "Day,Last,Open,Max,Min,Vol,Note,RSI",
      'rename "Max" to "high", "Min" to "low", "Last" to "close" and "Vol" to "volume"; ' +
        'drop "Note" and "RSI"',
    ],
  ])("of %s is refused with what to change", (_, header, expected) => {
    const file = parseCsv(`${header}\n${ROW}\n`);
    expect(file).toMatchObject({ ok: false, reason: "header_invalid" });
    const why = file.ok ? "" : file.why;
    expect(why).toMatch(expected);
    expect(why).toMatch(/^expected the header date,open,high,low,close,volume in any order/);
    expect(why.length).toBeLessThan(500);
  });

  test("is told at once what is wrong with its names, its dates and its numbers", () => {
    const file = parseCsv(
      'Day;Open;High;Low;Last;Volume;RSI\n31.12.24;"1:5";2;1;$2;1.2M;50\n30.12.24;1;2;1;2;7;50;\n',
    );
    expect(file).toEqual({
      ok: false,
      reason: "header_invalid",
      why:
        "expected the header date,open,high,low,close,volume in any order or that of a known provider, " +
        'got "Day;Open;High;Low;Last;Volume;RSI": rename "Last" to "close"; drop "RSI"; ' +
        '"date": expected a UTC day such as 2024-12-31, got "31.12.24"; ' +
        '"open": expected a plain number such as 1234.5, got "1:5"; ' +
        '"close": expected a plain number such as 1234.5, got "$2"; ' +
        '"volume": expected a plain number such as 1234.5, got "1.2M"; expected 7 cells, as in the header, got 8',
    });
  });
});

describe("a file of a known provider", () => {
  const whyOf = (text: string, ticker = "btc") => {
    const file = parseCsv(text, { ticker });
    return file.ok ? "" : file.why;
  };

  test.each([
    ["snapped_at,price,market_cap,total_volume", "a file of CoinGecko: it has closes only"],
    ["time,open,high,low,close,RSI", 'a file of TradingView: "volume" missing'],
    [
      "Price,Close,Close,High,High,Low,Low,Open,Open,Volume,Volume",
      "a file of Yahoo Finance: a column is there twice: give each coin a file",
    ],
    [
      "Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume EUR",
      'a file of CryptoDataDownload: expected prices in dollars and the coin\'s volume, got "Volume BTC" and "Volume EUR"',
    ],
    [
      "Unix,Date,Symbol,Open,High,Low,Close,Volume ETH,Volume BTC",
      'a file of CryptoDataDownload: expected prices in dollars and the coin\'s volume, got "Volume ETH" and "Volume BTC"',
    ],
  ])("is refused by name: %s", (header, expected) => {
    expect(whyOf(`${header}\n${ROW}\n`)).toContain(expected);
  });
});

describe("a row", () => {
  test.each([
    [
      "2020-01-02T04:00:00Z,1,1,1,1,1",
      '"date": expected days that begin at midnight UTC, one row each, got "2020-01-02T04:00:00Z"',
    ],
    ["02.01.20,1,1,1,1,1", '"date": expected a UTC day such as 2024-12-31, got "02.01.20"'],
    ["2020-01-02,1,1,1,$1,1", '"close": expected a plain number such as 1234.5, got "$1"'],
    ["2020-01-02,1,1,1,1,", '"volume": expected a plain number such as 1234.5, got ""'],
    ["2020-01-02,1,1,1,1", "expected 6 cells, as in the header, got 5"],
    ['2020-01-02,"1,1,1,1', "a quote is not closed, or followed by more than the separator"],
    ['2020-01-02,"1,000",1,1,1,1', '"open": expected a plain number such as 1234.5, got "1,000"'],
    [`2020-01-02,${"1".repeat(5000)},1,1,1,1`, "expected at most 4000 characters"],
  ])("has what is wrong with it explained once: %j", (row, why) => {
    const { faults } = parsed(`${PRICES_HEADER}\n${row}\n${row}\n${ROW}\n`);
    expect(faults.map((fault) => fault.why)).toEqual([why, undefined]);
  });

  test("has every cell explained that no row before had wrong", () => {
    const rows = ["2020-01-02,$1,1,1,1,1", "02.01.20,$1,1,1,1,-", "2020-01-03,$1,1,1,1,-", ROW];
    const { faults } = parsed([PRICES_HEADER, ...rows, ""].join("\n"));
    expect(faults.map((fault) => fault.why)).toEqual([
      '"open": expected a plain number such as 1234.5, got "$1"',
      '"date": expected a UTC day such as 2024-12-31, got "02.01.20"; ' +
        '"volume": expected a plain number such as 1234.5, got "-"',
      undefined,
    ]);
  });
});

test("a file of more rows than there are days is not read on", () => {
  const rows = (count: number) => parseCsv(`${PRICES_HEADER}\n${"x\n".repeat(count)}`);
  expect(rows(ROWS_MAX)).toMatchObject({ ok: true });
  expect(rows(ROWS_MAX + 1)).toEqual({
    ok: false,
    reason: "file_too_large",
    why: "more than 100000 lines of rows",
  });
  expect(parseCsv(`${PRICES_HEADER}\n${"\n".repeat(ROWS_MAX + 1)}`)).toMatchObject({ ok: false });
});
