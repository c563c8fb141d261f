import { expect, test } from "vitest";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { seededBars } from "../../support/engine-bars.ts";

const DAYS = 400;

/**
 * vectorbt 1.2.0: `Portfolio.from_signals(close, entries, exits, price=open, fees=0.001, slippage=0.0005,
 * size=inf, init_cash=10000)`, signals one day late, a year of 365 days. backtrader 1.9.78.123 (orders at
 * the open, sized with it) has the same last equity to 12 digits. empyrical-reloaded 0.7.1 and quantstats
 * 0.0.86, told 365 days, have the same ratios of the daily returns. The moments are those of scipy 1.17.
 */
const VECTORBT = {
  equity: {
    50: 12340.148727799013,
    150: 14061.899643995283,
    250: 13309.536920394577,
    350: 13920.838895991752,
    399: 18116.14297166675,
  },
  statistics: {
    totalReturn: 0.8116142971666755,
    cagr: 0.7198278889765817,
    volatility: 0.4402454318306372,
    sharpe: 1.4514525962711236,
    sortino: 2.2562403433638987,
    calmar: 2.943826827548673,
    maxDrawdown: -0.2445211390290858,
    skew: 0.16970410413084006,
    kurtosis: 5.275973666181396,
  },
  tradeStatistics: {
    trades: 15,
    closedTrades: 14,
    winRate: 0.5,
    profitFactor: 1.7595904718605715,
    averageDays: 13.285714285714286,
  },
  // vectorbt divides a trade's profit by the price paid without the fee, so these are 1.001 times ours.
  returnsOnPrice: {
    expectancy: 0.029498192523843052,
    best: 0.3377376276933815,
    worst: -0.11353147123076156,
  },
  // From the first close below the peak; ours counts from the peak.
  drawdownDays: 81,
  fees: 393.334533251311,
  exposure: 0.58,
};

test("a 5/20 average cross on seeded prices gives what vectorbt, backtrader and empyrical give", () => {
  const bars = seededBars(5, DAYS);
  const fast = sma(bars.close, 5);
  const slow = sma(bars.close, 20);
  const flags = Uint8Array.from(fast, (value, row) =>
    value > slow[row]! ? 1 : value < slow[row]! ? 2 : 0,
  );
  const run = runBacktest({ bars, flags, window: { from: 0, to: DAYS }, startingCash: 10_000 });
  for (const [day, equity] of Object.entries(VECTORBT.equity)) {
    expect(run.equity[Number(day)]! / equity).toBeCloseTo(1, 12);
  }
  const { statistics, tradeStatistics } = run;
  expectNear(statistics, VECTORBT.statistics);
  expectNear(tradeStatistics, VECTORBT.tradeStatistics);
  const { expectancy, best, worst } = tradeStatistics;
  const onPrice = { expectancy: 1.001 * expectancy, best: 1.001 * best, worst: 1.001 * worst };
  expectNear(onPrice, VECTORBT.returnsOnPrice);
  expect(statistics.maxDrawdownDays).toBe(VECTORBT.drawdownDays + 1);
  expect(run.fees).toBeCloseTo(VECTORBT.fees, 9);
  expect(run.exposure).toBe(VECTORBT.exposure);
});

function expectNear<Name extends string>(
  ours: Readonly<Record<NoInfer<Name>, number>>,
  theirs: Readonly<Record<Name, number>>,
): void {
  const names = Object.keys(theirs) as Name[];
  const apart = names.filter((name) => !(Math.abs(ours[name] / theirs[name] - 1) < 1e-11));
  expect(apart).toEqual([]);
}
