import { FAMILY_ROWS, SERIES_ROWS, type RatesRow } from "./measured-rates.ts";
import type { ErrorRates } from "./report.ts";

const ratesOf = (row: RatesRow): ErrorRates => {
  const [variants, bars, falseSkill, power1, power2, falseLuck1, falseLuck2] = row;
  return { variants, bars, falseSkill, power1, power2, falseLuck1, falseLuck2 };
};

export const MEASURED_RATES = {
  family_step_down: FAMILY_ROWS.map(ratesOf),
  one_series: SERIES_ROWS.map(ratesOf),
};

/**
 * How often the verdict is wrong, as measured on panels of about this size (`docs/calibration.csv`): those with the
 * nearest number of trials among them the nearest number of bars, each by its logarithm, and the smaller on a tie. What
 * is smaller or larger than anything measured gets the rates of the smallest or largest.
 */
export function errorRatesAt(
  basis: keyof typeof MEASURED_RATES,
  { trials, bars }: { readonly trials: number; readonly bars: number },
): ErrorRates {
  const sizes = nearest(MEASURED_RATES[basis], ({ variants }) => Math.log(variants / trials));
  return nearest(sizes, (rates) => Math.log(rates.bars / bars))[0]!; // no basis is empty
}

/** The entries at the least distance from 0, in their order. */
export function nearest<Rates>(
  all: readonly Rates[],
  distance: (rates: Rates) => number,
): readonly Rates[] {
  const least = Math.min(...all.map((rates) => Math.abs(distance(rates))));
  const closest = all.filter((rates) => Math.abs(distance(rates)) === least);
  return closest.filter((rates) => distance(rates) === distance(closest[0]!));
}
