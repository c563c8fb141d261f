import type { DcaColumns } from "./dca.ts";
import { dcaWinner, lumpSumWins } from "./lump-sum.ts";

/** What became of a schedule, against the same money invested at once. */
export type DcaOutcome = Readonly<ReturnType<typeof dcaOutcome>>;
export type LumpSum = DcaOutcome["lumpSum"];

/**
 * The outcome of the schedule that begins on a row, when each purchase is of `amount` dollars. The columns are for
 * one dollar, so the amount scales all money and coins. `wins` is the share of all start days whose lump sum wins,
 * for callers that know it.
 */
export function dcaOutcome(
  columns: DcaColumns,
  row: number,
  amount: number,
  wins = lumpSumWins(columns),
) {
  const purchases = columns.purchases[row]!; // `row` is a day of the columns, here and below
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
    /** Average price paid for a unit. */
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
    /** Value of the schedule less that of the lump sum; 0 in a tie. */
    difference: difference * amount,
    /** The same against the lump sum's value. */
    relativeDifference: difference / lumpSum,
    lumpSumWins: wins,
  };
}
