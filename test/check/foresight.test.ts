import { describe, expect, test } from "vitest";
import { CheckReport } from "../../api/check-report.ts";
import { checkFile, type CheckFileOptions } from "../../check/check-file.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { reportText } from "../../cli/report-text.ts";
import { emptyBars, type Bars } from "../../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { dayOf } from "../../quant/check/ordered-rows.ts";
import { returnsOfCase, tradesOfCase, LATER_CASES } from "../support/foresight.ts";
import { marketOf, utf8 } from "./formats/files.ts";

/** The bars of a market with these returns, from the close before the first. */
function barsOf(dates: readonly string[], market: Float64Array): Bars {
  const bars = emptyBars(market.length + 1);
  const first = dayOfDate(dates[0]!)! - 1;
  let close = 100;
  for (let row = 0; row < bars.day.length; row++) {
    if (row > 0) close *= 1 + market[row - 1]!;
    bars.day[row] = first + row;
    for (const name of ["open", "high", "low", "close"] as const) bars[name][row] = close;
  }
  return bars;
}

const table = (header: string, rows: readonly (readonly unknown[])[]) =>
  utf8(`${header}\n${rows.map((row) => `${row.join(",")}\n`).join("")}`);

/** The report on a case's returns, with its coin named. */
async function named(name: string, options: CheckFileOptions = {}) {
  const { dates, returns, market } = returnsOfCase(name);
  const file = table(
    "date,returns",
    dates.map((date, row) => [date, returns[row]]),
  );
  const place = marketOf(["btc"], barsOf(dates, market));
  return (await checkFile(file, { coin: "btc", nTrials: 1, ...options }, place)).report;
}

describe("returns that act on the close they are made of", () => {
  test("are not judged, where the coin is named or a column of the file", async () => {
    const { verdict, timing } = await named("a02_same_bar_average");
    expect(verdict).toMatchObject({
      value: "inconclusive",
      event: "Not judged",
      withheldCode: "known_later",
      breakEvenTrials: NaN,
    });
    expect(verdict.sentence).toBe(
      "Not judged: its gains come on the very days on which it trades, and one day later a Sharpe ratio of 4.4 is 0.45. " +
        "Act on each signal a day later and send that, or say that it trades within the day (--fills intraday).",
    );
    expect(timing).toMatchObject({ status: "found", reason: null, said: null, fills: null });
    const { dates, returns, market } = returnsOfCase("a02_same_bar_average");
    const [equity, closes] = [returns, market].map((of) => barsOf(dates, of).close);
    const rows = Array.from(equity!, (value, row) => [
      dateOfDay(dayOfDate(dates[0]!)! - 1 + row),
      value,
      closes![row],
    ]);
    const { report, series } = await checkFile(table("date,equity,close", rows), { nTrials: 1 });
    expect(report.verdict.withheldCode).toBe("known_later");
    expect(series!.later).toMatchObject({ name: "one day later" });
  });

  test("are found by the delay that tells", async () => {
    const { verdict, timing } = await named("a04_tomorrow");
    expect(verdict.sentence).toMatch(
      /: its positions fit the day after, as if tomorrow's price were known: two days later a Sharpe ratio of \S+ is /,
    );
    expect(timing!.later!.delay).toBe(2);
  });

  test("pass once they act a day later, with what that would leave", async () => {
    const { verdict, timing } = await named("a01_honest_average");
    expect([verdict.withheldCode, timing!.status]).toEqual([null, "passed"]);
    expect(verdict.notes).toContain(
      "Acting one day later its Sharpe ratio would be 0.59 instead of 0.46.",
    );
    expect(verdict.cautions.at(-1)).toBe(
      "Look-ahead was tested only as far as daily prices show it: not fitting on the whole period, not coins that survived. Missing costs and bad prices are not tested.",
    );
    const few = await named("a08_honest_breakout");
    expect(few.verdict.notes).toContain(
      "It changed its position only 41 times, too few to rule out that it knew prices before it traded.",
    );
  });

  test("are judged where the sender says that they trade within the day, and say so", async () => {
    const { verdict, timing, input } = await named("a02_same_bar_average", { fills: "intraday" });
    expect([verdict.value, verdict.withheldCode, timing!.status]).toEqual(["skill", null, "found"]);
    const condition =
      ", if each fill came after its signal, as you said: one day later its Sharpe ratio is 0.45.";
    expect(verdict.sentence.endsWith(condition)).toBe(true);
    expect(input.options).toMatchObject({ fills: "intraday" });
    const uncounted = await named("a02_same_bar_average", {
      fills: "intraday",
      nTrials: undefined,
    });
    expect(uncounted.verdict.sentence.endsWith(condition)).toBe(true);
  });

  test("are found in any order of the rows", async () => {
    const { dates, returns, market } = returnsOfCase("a02_same_bar_average");
    const rows = dates.map((date, row) => [date, returns[row]] as const).toReversed();
    const place = marketOf(["btc"], barsOf(dates, market));
    const { report } = await checkFile(
      table("date,returns", rows),
      { coin: "btc", nTrials: 1 },
      place,
    );
    expect(report.timing).toEqual((await named("a02_same_bar_average")).timing);
  });

  test("leave a verdict that isn't skill as it is, with a note", async () => {
    const { verdict } = await named("a09_same_bar_breakout", { nTrials: 200 });
    expect([verdict.withheldCode, verdict.withheldReason]).toEqual([null, null]);
    expect(verdict.notes.join(" ")).toContain("Its gains come on the very days on which it trades");
  });

  test("are not tested where no market is known, or no position is clear", async () => {
    const { dates, returns } = returnsOfCase("a02_same_bar_average");
    const file = table(
      "date,returns",
      dates.map((date, row) => [date, returns[row]]),
    );
    const { report } = await checkFile(file, { nTrials: 1 });
    expect(report.timing).toMatchObject({ status: "not_tested", later: null });
    expect(report.verdict.cautions.at(-1)).toContain(
      "Look-ahead was not tested: name the coin that was traded.",
    );
    const { timing, verdict } = await named("a18_intraday");
    expect(timing!.reason).toBe("its positions can't be told from its returns");
    expect(verdict.cautions.at(-1)).toContain(
      "Look-ahead was not tested: its positions can't be told",
    );
    expect([timing!.later!.one, timing!.later!.scoreNeeded]).toEqual([null, 5]);
  });

  test("are counted over the variants of a file", async () => {
    const { dates, returns, market } = returnsOfCase("a02_same_bar_average");
    const honest = returnsOfCase("a01_honest_average").returns;
    const rows = dates.map((date, row) => [date, honest[row], returns[row]]);
    const place = marketOf(["btc"], barsOf(dates, market));
    const options = { coin: "btc", selected: "v0" };
    const { report } = await checkFile(table("date,v0,v1", rows), options, place);
    expect(report.timing!.later).toMatchObject({
      status: "passed",
      variantsTested: 2,
      variantsFound: 1,
    });
    expect(report.verdict.notes.join(" ")).toContain("1 of the 2 variants that could be tested");
  });

  test.each(["later rows", "a second file"])(
    "are never tested in %s that are live",
    async (way) => {
      const [honest, early] = ["a01_honest_average", "a02_same_bar_average"].map(returnsOfCase);
      const { dates, market } = honest!;
      const live = 1_000;
      const rows = dates.map((date, row) => {
        return [date, (row < live ? honest! : early!).returns[row], market[row]] as const;
      });
      const file = (from: number, to?: number) =>
        table("date,strategy_returns,market_returns", rows.slice(from, to));
      const alone = (await checkFile(file(0, live), { nTrials: 1 })).report;
      const { report } =
        way === "a second file"
          ? await checkFile(file(0, live), { nTrials: 1 }, { live: await readExport(file(live)) })
          : await checkFile(file(0), { nTrials: 1, liveSince: dates[live] });
      expect(report.live!.days).toBe(rows.length - live);
      expect(report.timing).toEqual(alone.timing);
      expect(report.timing!.status).toBe("passed");
    },
  );

  test("after the day on which the strategy went live count as live", async () => {
    const { timing } = await named("a02_same_bar_average", { liveSince: "2021-02-01" });
    expect(timing!.later).toBeNull();
  });
});

/** A list of trades as three tools write it. */
function listsOf(name: string): readonly (readonly [tool: string, bytes: Uint8Array])[] {
  const trades = tradesOfCase(name);
  const day = (at: number) => dateOfDay(dayOf(at));
  const own = trades.map(({ entry, exit, profit, position: { long, entryPrice, exitPrice } }) => [
    long ? "long" : "short",
    day(entry),
    entryPrice,
    day(exit),
    exitPrice,
    1,
    profit,
  ]);
  const tool = trades.map(
    ({ entry, exit, profit, position: { long, entryPrice, exitPrice } }, row) => [
      row,
      long ? 1 : -1,
      3 * row,
      3 * row + 2,
      entryPrice,
      exitPrice,
      profit,
      profit / entryPrice,
      day(entry),
      day(exit),
      "2 days",
    ],
  );
  const date = (at: number) => `${day(at)} 00:00:00`;
  const run = {
    backtest_start: date(trades[0]!.entry),
    backtest_end: date(trades.at(-1)!.exit),
    starting_balance: 100_000,
    trades: trades.map(({ entry, exit, profit, position: { long, entryPrice, exitPrice } }) => ({
      pair: "BTC/USDT",
      profit_abs: profit,
      amount: 1,
      is_short: !long,
      open_rate: entryPrice,
      close_rate: exitPrice,
      open_date: date(entry),
      close_date: date(exit),
    })),
  };
  return [
    [
      "a table of your own",
      table("side,entry date,entry price,exit date,exit price,quantity,profit", own),
    ],
    [
      "backtesting.py",
      table(
        ",Size,EntryBar,ExitBar,EntryPrice,ExitPrice,PnL,ReturnPct,EntryTime,ExitTime,Duration",
        tool,
      ),
    ],
    ["freqtrade", utf8(JSON.stringify({ strategy: { A: run } }))],
  ];
}

async function ofTrades(name: string, bytes: Uint8Array) {
  const place = marketOf(["btc"], tradesOfCase(name)[0]!.bars);
  const options = { coin: "btc", startingCapital: 100_000, nTrials: 1 };
  return (await checkFile(bytes, options, place)).report;
}

describe("trades at prices that nobody knew", () => {
  test.each(listsOf("b01_at_the_low"))("of %s are not judged", async (_, bytes) => {
    const { timing, verdict } = await ofTrades("b01_at_the_low", bytes);
    expect(timing!.fills).toMatchObject({
      entry: { status: "found", tested: 285, near: 285, other: 0 },
      exit: { status: "not_tested" },
    });
    expect(verdict.withheldCode).toBe("fill_at_extreme");
    expect(verdict.sentence).toBe(
      "Not judged: 285 of 285 entries lie at the day's low, which isn't known before the day is over. Send it with fills at the open, at the close or at prices set beforehand.",
    );
  });

  test.each(listsOf("b05_short_near_the_high"))(
    "of %s are found short, although no short is marked",
    async (_, bytes) => {
      const { timing } = await ofTrades("b05_short_near_the_high", bytes);
      expect(timing).toMatchObject({
        status: "found",
        later: null,
        reason: "only realised profits are known",
        fills: { entry: { status: "found", near: 344 } },
      });
    },
  );

  test("take their profit before the stop each time", async () => {
    const [, list] = listsOf("c01_profit_first")[0]!;
    const { timing, verdict } = await ofTrades("c01_profit_first", list);
    expect(timing!.levels).toMatchObject({ status: "found", tested: 178, profitFirst: 178 });
    expect([verdict.sentence, ...verdict.notes].join(" ")).toMatch(
      /n all 178 days that reached its stop and its profit it took the profit; as prices go, the stop comes first on half of them or more\. Send it with the stop first on such days\./,
    );
  });

  test("are not tested at the prices of another market", async () => {
    const list = listsOf("c01_profit_first")[0]![1];
    const place = marketOf(["btc"], tradesOfCase("b01_at_the_low")[0]!.bars);
    const options = { coin: "btc", startingCapital: 100_000 };
    const { timing } = (await checkFile(list, options, place)).report;
    expect(timing!.fills!.entry.other).toBeGreaterThan(500);
    const parts = [timing!.fills!.entry, timing!.fills!.exit, timing!.levels!];
    expect(parts.map(({ status }) => status)).toEqual(Array(3).fill("not_tested"));
  });

  test("are honest at the open, at a limit, and with the stop first", async () => {
    for (const name of ["b02_at_the_open", "b04_limit_3", "c03_stop_first"]) {
      const { verdict, timing } = await ofTrades(name, listsOf(name)[0]![1]);
      expect([name, verdict.withheldCode]).toEqual([name, null]);
      expect(timing!.status).not.toBe("found");
    }
  });
});

describe("the full text has every test", () => {
  const rest = { series: undefined, fileName: "", isSynthetic: false };
  const textOf = (report: Parameters<typeof CheckReport.from>[0]) =>
    reportText({ ...rest, report: CheckReport.from(report) }).join("\n");

  test("of returns, taken later", async () => {
    const text = textOf(await named("a02_same_bar_average"));
    expect(text).toMatch(/^as sent +4\.44 .*\none bar later +0\.45 .*\ntwo bars later +0\.57 /m);
    expect(text).toMatch(/score\sof\s5\.00\sshows[^]*bar\sscores\s11\.76,\sthe\ssecond\s-0\.63\./);
    expect(text).toMatch(/^what it shows +found\nchanges .*, one bar later +213\n.*later +204$/m);
  });

  test("of a list of trades", async () => {
    const text = textOf(await ofTrades("c01_profit_first", listsOf("c01_profit_first")[0]![1]));
    expect(text).toMatch(/^side +tested +at the edge +outside +p-value +what it shows$/m);
    expect(text).toMatch(/^what they show +found\ntheir number +178\nwith the .* +178$/m);
  });
});

test("no sentence accuses anybody", async () => {
  const cases = LATER_CASES.map(({ name }) => named(name));
  for (const report of cases) {
    const { sentence, notes, cautions } = (await report).verdict;
    expect([sentence, ...notes, ...cautions].join(" ")).not.toMatch(/cheat|fake|bug\b/i);
  }
});
