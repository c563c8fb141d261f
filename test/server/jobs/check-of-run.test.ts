import { expect, test } from "vitest";
import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { holdReturns } from "../../../quant/engine/hold.ts";
import { findTemplate } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { checkOfRun } from "../../../server/jobs/check-of-run.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const bars = madeUpBars({ seed: 3, days: 900 });

function runFrom(from: number, flags?: Uint8Array) {
  const window = { from, to: 900 };
  const template = findTemplate("ma_cross")!;
  const own = flagsOf(template, createMarket(bars), template.variants[0]!);
  const run = runBacktest({ bars, flags: flags ?? own, window, startingCash: 1000 });
  return { run, coin: { name: "btc", returns: holdReturns(bars, window) } };
}

test("the verdict is that of the same returns sent as a file, at 13 trials", () => {
  const { run, coin } = runFrom(250);
  const rows = {
    kind: "returns",
    instants: Float64Array.from(run.days, (day) => day * 86_400),
    lines: new Int32Array(run.days.length),
    names: ["a"],
    columns: [run.returns],
  } as const;
  const source = { format: "returns", tool: "generic", kind: "returns" } as const;
  const { verdict } = checkPanel(buildPanel(rows), { source, nTrials: 13, coin });
  const { verdict: check, verdictReason: reason } = checkOfRun(run, coin, 13);
  expect(reason).toBeNull();
  expect(check).toEqual(verdict);
  expect(check!.basis).toBe("one_series");
  expect(check!.sentence).toContain("13");
});

test("a run that never moves, or lasts a week, has none", () => {
  const still = runFrom(250, new Uint8Array(900));
  expect(checkOfRun(still.run, still.coin, 13)).toEqual({
    verdict: null,
    verdictReason: "the run never moves",
  });
  const short = runFrom(893);
  expect(checkOfRun(short.run, short.coin, 13).verdictReason).toContain("at least 10 days");
});
