import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../quant/calendar.ts";
import { dcaWinner, lumpSumWins } from "../../../quant/outcomes/lump-sum.ts";
import { attributionOf } from "../../../server/routes/attribution.ts";
import { dca } from "../../../server/routes/dca.ts";
import { percent, significant } from "../../../quant/significant-digits.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const snapshot = marketSnapshot();
const FREQUENCIES = ["weekly", "monthly"] as const;

/** The answer as an object, in the order of its schema. */
function expected(
  ticker: string,
  frequency: (typeof FREQUENCIES)[number],
  row: number,
  amount: number,
) {
  const coin = snapshot.coins.find((known) => known.ticker === ticker)!;
  const columns = snapshot.dca(ticker, frequency)!;
  const purchases = columns.purchases[row]!;
  const value = columns.value[row]!;
  const lumpSum = columns.lumpSumValue[row]!;
  const winner = dcaWinner(value, lumpSum);
  const difference = winner === "tie" ? 0 : value - lumpSum;
  return {
    attribution: attributionOf(snapshot, coin),
    coin: ticker,
    amount_usd: significant(amount),
    frequency,
    start_date: dateOfDay(columns.startDay[row]!),
    end_date: dateOfDay(coin.lastDay),
    purchases,
    invested_usd: significant(purchases * amount),
    units: significant(columns.units[row]! * amount),
    average_cost_usd: significant(purchases / columns.units[row]!),
    value_usd: significant(value * amount),
    profit_usd: significant((value - purchases) * amount),
    return_pct: percent(value / purchases - 1),
    irr_pct: percent(columns.irr[row]!),
    worst_return_pct: percent(columns.worstReturn[row]!),
    worst_date: dateOfDay(columns.worstDay[row]!),
    days_under_water: columns.daysUnderWater[row]!,
    days_in_profit_pct: percent(columns.daysInProfitShare[row]!),
    lump_sum: {
      units: significant(columns.lumpSumUnits[row]! * amount),
      value_usd: significant(lumpSum * amount),
      profit_usd: significant((lumpSum - purchases) * amount),
      return_pct: percent(lumpSum / purchases - 1),
      cagr_pct: percent(columns.lumpSumCagr[row]!),
      max_drawdown_pct: percent(columns.lumpSumMaxDrawdown[row]!),
    },
    comparison: {
      winner,
      difference_usd: significant(difference * amount),
      difference_pct: percent(difference / lumpSum),
      lump_sum_wins_pct: percent(lumpSumWins(columns)),
    },
  };
}

describe("a DCA answer", () => {
  test("is the row of its start date, scaled by the amount, with its members in the order of the schema", () => {
    const amounts = fc.oneof(
      fc.integer({ min: 1, max: 1e9 }),
      fc.double({ min: 1e-12, max: 1e9, noNaN: true }),
    );
    const tickers = fc.constantFrom(...snapshot.coins.map(({ ticker }) => ticker));
    fc.assert(
      fc.property(
        tickers,
        fc.constantFrom(...FREQUENCIES),
        fc.nat(),
        amounts,
        (ticker, frequency, some, amount) => {
          const { startDay } = snapshot.dca(ticker, frequency)!;
          const row = some % startDay.length;
          const start_date = dateOfDay(startDay[row]!);
          const query = { coin: ticker, amount, frequency, start_date };
          const data = dca.answer(snapshot, dca.resolve(snapshot, query as never) as never);
          expect(JSON.stringify(data)).toBe(
            JSON.stringify(expected(ticker, frequency, row, amount)),
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test("begins on the coin's first day without a date", () => {
    const resolved = dca.resolve(snapshot, {
      coin: "sol",
      amount: 100,
      frequency: "weekly",
    } as never);
    expect(resolved).toMatchObject({ start_date: "2021-05-15" });
  });
});
