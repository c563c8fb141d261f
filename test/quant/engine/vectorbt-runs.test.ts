import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { findTemplate } from "../../../quant/strategies/catalogue.ts";
import { refusedSet } from "../../../quant/strategies/legal.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { seededBars } from "../../support/engine-bars.ts";

interface RecordedRun {
  readonly template: string;
  readonly params: Readonly<Record<string, number>>;
  readonly from: number;
  readonly to: number;
  readonly feePct: number;
  readonly slippagePct: number;
  readonly equity: number;
  readonly trades: number;
  readonly sharpe: number | null;
  readonly maxDrawdown: number;
}

/** As `vectorbt-runs.py` beside this file recorded them. */
const RUNS = JSON.parse(
  readFileSync(new URL("vectorbt-runs.json", import.meta.url), "utf8"),
) as readonly RecordedRun[];

test("200 runs of random parameters, windows and costs are those of vectorbt", () => {
  const bars = seededBars(11, 1200);
  const market = createMarket(bars);
  const apart = RUNS.filter((recorded) => {
    const template = findTemplate(recorded.template)!;
    expect(refusedSet(template, recorded.params)).toBeUndefined();
    const run = runBacktest({
      bars,
      flags: flagsOf(template, market, recorded.params),
      window: recorded,
      startingCash: 10_000,
      costs: { feeRate: recorded.feePct / 100, slippageRate: recorded.slippagePct / 100 },
    });
    const { sharpe, maxDrawdown } = run.statistics;
    const near = (ours: number, theirs: number) =>
      Math.abs(ours - theirs) <= 1e-9 * Math.max(1e-3, Math.abs(theirs));
    return !(
      run.trades.length === recorded.trades &&
      near(run.finalEquity, recorded.equity) &&
      near(maxDrawdown, recorded.maxDrawdown) &&
      (recorded.sharpe === null ? Number.isNaN(sharpe) : near(sharpe, recorded.sharpe))
    );
  });
  expect(RUNS).toHaveLength(200);
  expect(apart).toEqual([]);
});
