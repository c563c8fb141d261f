import { describe, expect, test } from "vitest";
import { noticesOf } from "../../pipeline/notices.ts";
import { applyPriceRules, type CleanCoin } from "../../pipeline/price-rules.ts";
import type { Horizon } from "../../pipeline/price-rules/raw-row.ts";
import { REJECTS_LISTED_MAX } from "../../pipeline/price-rules/limits.ts";
import { parseCsv } from "../../pipeline/sources/csv-rows.ts";
import type { IngestedCoin } from "../../pipeline/stages/stage.ts";
import { dateOfDay } from "../../quant/calendar.ts";

const NOTHING = { missing: [], failed: [] };
const row = (day: number) => `${dateOfDay(day)},2,3,1,${day % 2 === 0 ? 2 : 1.999},10\n`;
const ROWS = Array.from({ length: 300 }, (_, index) => row(19_000 + index));

const BOARD = { ticker: "abc", name: "", symbol: "" };
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
  return noticesOf([{ board: BOARD, clean: cleanOf(...file) }], NOTHING);
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
  const mixed = ROWS.map((_, index) => ROWS[(index * 77) % 300]!);
  expect(noticesOfFile(mixed.join("")).at(-1)).toMatch(
    /^abc: \d+ of 300 rows were refused, most often as out_of_order, such as line \d+: sort the rows by date$/,
  );
  const odd = ROWS.map((text, index) => (index < 200 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(odd.join(""))).toEqual([
    "abc: 200 of 300 rows were refused, most often as price_not_positive, such as line 2: 2022-01-08,2,0,1,2,10",
  ]);
  const partly = ROWS.map((text, index) => (index < 150 ? text.replace(",3,", ",0,") : text));
  expect(noticesOfFile(partly.join(""))).toEqual([]);
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
      "there must be one row a day, and the rows of this day differ",
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

test("names the commonest reason alone where its rows come behind the refusals that are listed", () => {
  const [good = ""] = ROWS;
  const listed = good.replace(",10", ",-1").repeat(REJECTS_LISTED_MAX);
  const unlisted = good.replace(",3,", ",0,").repeat(REJECTS_LISTED_MAX + 1);
  expect(noticesOfFile(listed + unlisted)).toEqual([
    "abc: 20001 of 20001 rows were refused, most often as price_not_positive",
  ]);
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
    `abc: the history starts anew on ${dateOfDay(19_104)}, after a long gap`,
  ]);
});

test("names coins that the source does not have or could not deliver", () => {
  const failed = [{ ticker: "eth", message: "eth.csv: the file is empty" }];
  expect(noticesOf([], { missing: ["btc", "xrp"], failed })).toEqual([
    "the source does not have btc, xrp",
    "eth: eth.csv: the file is empty",
  ]);
  expect(noticesOf([], { missing: ["btc"], failed: [] })).toEqual(["the source does not have btc"]);
});

test("names coins that are left out last, and how a source was read before", () => {
  const failed = [{ ticker: "eth", message: "eth.csv: 90 of 200 rows are refused" }];
  const notices = [{ ticker: "abc", text: "volume was in dollars" }];
  const cut = [{ board: BOARD, clean: cleanOf(ROWS.join("").trimEnd()) }];
  expect(noticesOf(cut, { missing: [], failed, notices })).toEqual([
    "abc: volume was in dollars",
    expect.stringContaining("no line break"),
    "eth: eth.csv: 90 of 200 rows are refused",
  ]);
});

describe("prices that are believed", () => {
  const closes = (values: readonly number[], volume: (index: number) => number = () => 10) =>
    values
      .map(
        (close, index) =>
          `${dateOfDay(19_000 + index)},${close},${close},${close},${close},${volume(index)}\n`,
      )
      .join("");
  const steady = Array.from({ length: 300 }, (_, index) => 2 + (index % 7) / 10);

  test.each([
    ["split", 0.001, "0.0023", 957],
    ["merged", 1000, "2300", 1050],
  ])("are named where a token was %s a thousand to one", (_, factor, after, times) => {
    const split = steady.map((close, index) =>
      index < 10 ? close : Number((close * factor).toPrecision(6)),
    );
    expect(noticesOfFile(closes(split))).toEqual([
      `abc: the close of 2022-01-18 is ${after}, that of the day before 2.2, a factor of ${times} and the next days ` +
        'stay there: a change of unit (redenomination)? Prices are used as they are; "earlier" in the board, until ' +
        `2022-01-17 with the factor ${factor}, makes them one history`,
    ]);
    const back = split.map((close, index) => (index < 14 ? close : steady[index]!));
    expect(noticesOfFile(closes(back)), "after four days it was a wrong row").toEqual([
      expect.stringContaining(
        ": another unit of the coin, or a wrong row; both are used as they are",
      ),
    ]);
  });

  test("are named from a factor of ten on, the largest of several", () => {
    const fresh = { asOf: 19_004, today: null };
    expect(noticesOfFile(closes([1, 9.9, 1, 9.9, 1]), fresh)).toEqual([]);
    expect(noticesOfFile(closes([1, 1, 0.3, 3, 3]), fresh)[0]).toContain(
      "is 3, that of the day before 0.3, a factor of 10:",
    );
    expect(noticesOfFile(closes([1, 10, 1, 20, 1]), fresh)[0]).toContain("of 2022-01-11 is 20,");
    expect(noticesOfFile(closes([1, 10, 10, 10, 10]), fresh)[0]).toContain("of 2022-01-09 is 10,");
  });

  test("are named where they end in a week without volume and movement", () => {
    const flat = (days: number) => {
      const values = steady.map((close, index) =>
        index < 300 - days ? close : steady[299 - days]!,
      );
      return noticesOfFile(closes(values, (index) => (index < 300 - days ? 10 : 0)));
    };
    expect(flat(6)).toEqual([]);
    expect(flat(7)).toEqual(["abc: from 2022-10-28 on there is no volume and every close is 2.5"]);
    expect(flat(299)).toHaveLength(1);
    expect(noticesOfFile(closes(steady.map(() => 2)))).toEqual([
      "abc: from 2022-01-08 to 2022-11-03 every close is 2; they are used as they are",
    ]);
    const stuck = (days: number) =>
      noticesOfFile(
        closes(steady.map((close, index) => (index < 99 + days && index >= 99 ? 7 : close))),
      );
    expect(stuck(29)).toEqual([]);
    expect(stuck(30)).toEqual([
      "abc: from 2022-04-17 to 2022-05-16 every close is 7; they are used as they are",
    ]);
    const traded = (day: number) => (index: number) => (index < 280 || index === day ? 10 : 0);
    const still = steady.map((close, index) => (index < 280 ? close : 3));
    expect(noticesOfFile(closes(still, traded(299))), "the last day has volume").toEqual([]);
    const moved = still.map((close, index) => (index < 293 ? close : 4));
    expect(noticesOfFile(closes(moved, traded(0))), "a close moved a week ago").toEqual([]);
  });
});

describe("volumes", () => {
  const coins = (volume: number) => ROWS.map((text) => text.replace(",10\n", `,${volume}\n`));

  test("of more than 10^12 dollars on the median day are said to look like dollars", () => {
    expect(noticesOfFile(coins(5e11).join(""))).toEqual([]);
    const most = ROWS.map((text, index) => (index < 149 ? text : coins(5.1e11)[index]!));
    expect(noticesOfFile(most.join(""))).toEqual([
      "abc: the volume looks like dollars, not coins: times the close, it is 1.02e+12 dollars on the median day",
    ]);
    const few = ROWS.map((text, index) => (index < 151 ? text : coins(5e20)[index]!));
    expect(noticesOfFile(few.join(""))).toEqual([]);
  });
});

test("names a source of weekdays, with the number of days that are filled", () => {
  const isWeekday = (_: string, index: number) => ![0, 6].includes((19_000 + index + 4) % 7);
  const weekdays = ROWS.filter(isWeekday);
  const rest = { asOf: 19_297, today: null }; // a Friday
  expect(noticesOfFile(weekdays.join(""), rest)).toEqual([
    "abc: the source has weekdays only: 84 days, weekends among them, are filled with the last close",
  ]);
  expect(noticesOfFile(ROWS.filter((_, index) => index % 3 > 0).join(""), rest)).toEqual([]);
});

test("names stale coins with the last day of each, in one sentence", () => {
  const coins = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const clean = cleanOf(ROWS.slice(0, 290 + (index % 10)).join(""));
      return { board: BOARD, clean };
    });
  expect(noticesOf(coins(10), NOTHING)).toEqual([
    "stale coins, with the last day of each: abc 2022-10-24, abc 2022-10-25, abc 2022-10-26, " +
      "abc 2022-10-27, abc 2022-10-28, abc 2022-10-29, abc 2022-10-30, abc 2022-10-31",
  ]);
  expect(noticesOf(coins(100), NOTHING)[0]).toMatch(/, abc 2022-10-25 and 30 more$/);
});

test("names the files whose last day may be unfinished", () => {
  const unfinished = (ticker: string): IngestedCoin => {
    const clean = cleanOf(ROWS.join(""));
    const rejects = [{ day: 19_200, line: 202, reason: "last_day_unfinished", raw: "" } as const];
    return { board: { ...BOARD, ticker }, clean: { ...clean, ticker, rejects } };
  };
  expect(noticesOf([unfinished("abc"), unfinished("def")], NOTHING)).toEqual([
    "2 files end before the others: the last day of such a file may be unfinished and was refused " +
      "(--keep-last-rows keeps it): abc 2022-07-27, def 2022-07-27",
  ]);
});
