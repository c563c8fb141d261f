import type { DcaColumns } from "./dca.ts";
import { dcaWinner, lumpSumWins, type DcaWinner } from "./lump-sum.ts";

/** What became of a schedule, against the same money invested at once. Amounts are in dollars. */
export interface DcaOutcome {
  readonly amount: number;
  readonly startDay: number;
  readonly endDay: number;
  readonly purchases: number;
  readonly invested: number;
  readonly units: number;
  /** Average price paid for a unit. */
  readonly averageCost: number;
  readonly value: number;
  readonly profit: number;
  readonly totalReturn: number;
  readonly irr: number;
  readonly worstReturn: number;
  readonly worstDay: number;
  readonly daysUnderWater: number;
  readonly daysInProfitShare: number;
  readonly lumpSum: LumpSum;
  readonly winner: DcaWinner;
  /** Value of the schedule less that of the lump sum; 0 in a tie. */
  readonly difference: number;
  /** The same against the lump sum's value. */
  readonly relativeDifference: number;
  /** Share of all start days whose lump sum wins. */
  readonly lumpSumWins: number;
}

export interface LumpSum {
  readonly units: number;
  readonly value: number;
  readonly profit: number;
  readonly totalReturn: number;
  readonly cagr: number;
  readonly maxDrawdown: number;
}

/**
 * The outcome of the schedule that begins on a row, for an amount a purchase. The columns are for one dollar, so the
 * amount scales all money and coins. `wins` is that of all rows, for callers that keep it.
 */
export function dcaOutcome(
  columns: DcaColumns,
  row: number,
  amount: number,
  wins = lumpSumWins(columns),
): DcaOutcome {
  const purchases = columns.purchases[row]!; // the row of a day of the coin's history, here and below
  const units = columns.units[row]!;
  const value = columns.value[row]!;
  const lumpSum = columns.lumpSumValue[row]!;
  const winner = dcaWinner(value, lumpSum);
  const difference = winner === "tie" ? 0 : value - lumpSum; // in a tie the values differ by rounding alone
  return {
    amount,
    startDay: columns.startDay[row]!,
    endDay: columns.startDay.at(-1)!,
    purchases,
    invested: purchases * amount,
    units: units * amount,
    averageCost: purchases / units,
    value: value * amount,
    profit: (value - purchases) * amount,
    totalReturn: value / purchases - 1,
    irr: columns.irr[row]!,
    worstReturn: columns.worstReturn[row]!,
    worstDay: columns.worstDay[row]!,
    daysUnderWater: columns.daysUnderWater[row]!,
    daysInProfitShare: columns.daysInProfitShare[row]!,
    lumpSum: {
      units: columns.lumpSumUnits[row]! * amount,
      value: lumpSum * amount,
      profit: (lumpSum - purchases) * amount,
      totalReturn: lumpSum / purchases - 1,
      cagr: columns.lumpSumCagr[row]!,
      maxDrawdown: columns.lumpSumMaxDrawdown[row]!,
    },
    winner,
    difference: difference * amount,
    relativeDifference: difference / lumpSum,
    lumpSumWins: wins,
  };
}
