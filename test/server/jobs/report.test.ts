import { describe, expect, test } from "vitest";
import { dayOfDate } from "../../../quant/calendar.ts";
import { FigureOutOfRange } from "../../../api/figure-out-of-range.ts";
import { reportOf } from "../../../server/jobs/report.ts";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { memberFaults } from "../../support/server-schema.ts";
import { swingingBars } from "../../support/made-up-bars.ts";
import { marketSnapshot } from "../../support/server-market.ts";

/** One task of each template. */
const TASKS = CATALOGUE.map(({ name: strategy }) => {
  const bars = marketSnapshot().bars("btc")!; // the market has it
  const startDay = bars.day.at(-1_000) ?? bars.day[0]!;
  const request = { strategy, coin: "btc", startDay, startingCashUsd: 10_000, variant: 1 };
  return { bars, snapshotId: "s1", request };
});

describe("a job's report", () => {
  test("is the JSON that the platform would write of it, and of the shape that is documented", () => {
    for (const task of TASKS) {
      const text = JSON.stringify(reportOf(task));
      const report = reportOf(task);
      expect(memberFaults("BacktestResult", JSON.parse(text))).toEqual([]);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
      expect(report.equity_curve).toHaveLength(report.days);
      expect(report.equity_curve[0]?.date).toBe(report.start_date);
      expect(report.equity_curve.at(-1)?.date).toBe(report.end_date);
      expect(report.equity_curve.at(-1)?.equity_usd).toBe(report.final_equity_usd);
      expect(report.trades).toHaveLength(report.trades_count);
    }
  });

  test("has a number for every day, or is none", () => {
    const [task] = TASKS;
    if (task === undefined) throw new Error("expected a task");
    const [trade] = reportOf(task).trades;
    const bought = task.bars.day.indexOf(dayOfDate(trade!.entry_date)!); // its template trades there
    const close = task.bars.close.slice();
    close[bought] = Number.NaN;
    const damaged = { ...task, bars: { ...task.bars, close } };
    expect(() => reportOf(damaged)).toThrow("a figure that is always there has no value");
  });

  test("says of figures beyond float64 that they are, and since when", () => {
    const bars = swingingBars(1500);
    const task = TASKS.find(({ request }) => request.strategy === "donchian_breakout");
    if (task === undefined) throw new Error("expected a task");
    const run = () => reportOf({ ...task, bars });
    expect(run).toThrow(FigureOutOfRange);
    expect(run).toThrow(
      /^at the close of 20\d\d-\d\d-\d\d the equity is beyond the largest number of float64, 1.8e308$/,
    );
  });
});
