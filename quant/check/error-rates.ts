import { FAMILY_ROWS, type RatesRow } from "./measured-rates.ts";
import { SERIES_ROWS } from "./series-rates.ts";

/** Shares of panels of a size on which the verdict was wrong, or right, as measured. */
const ratesOf = ([variants, bars, ...shares]: RatesRow) => {
  const [falseSkill, power1, power2, falseLuck1, falseLuck2, panels] = shares;
  return { variants, bars, falseSkill, power1, power2, falseLuck1, falseLuck2, panels };
};

export const MEASURED_RATES = {
  family_step_down: FAMILY_ROWS.map(ratesOf),
  one_series: SERIES_ROWS.map(ratesOf),
};

/** Rates are not quoted for records with fewer than this share of the fewest bars that were measured. */
const BARS_SHARE_MIN = 0.5;

/**
 * How often the verdict is wrong, as measured on panels of about this size (`docs/calibration.csv` and
 * `docs/calibration-series.csv`), by the number of active bars. Null, with the reason, where nothing so small was measured.
 */
export function errorRatesAt(
  basis: keyof typeof MEASURED_RATES,
  size: { readonly trials: number; readonly bars: number },
) {
  const all = MEASURED_RATES[basis];
  const least = Math.min(...all.map(({ bars }) => bars));
  if (size.bars >= BARS_SHARE_MIN * least)
    return { errorRates: nearestRates(all, size), errorRatesReason: null };
  const errorRatesReason = `measured on records with a return other than 0 on ${least} bars or more, and this one has ${size.bars} of them`;
  return { errorRates: null, errorRatesReason };
}

interface Size {
  readonly variants: number;
  readonly bars: number;
}

/**
 * The rates with the nearest number of trials and, among those, the nearest number of bars, each by its logarithm.
 * Sizes beyond anything measured get the rates of the smallest or largest.
 */
export function nearestRates<Rates extends Size>(
  all: readonly Rates[],
  { trials, bars }: { readonly trials: number; readonly bars: number },
): Rates {
  const variants = nearest(all, (rates) => rates.variants, trials).variants;
  const alike = all.filter((rates) => rates.variants === variants);
  return nearest(alike, (rates) => rates.bars, bars);
}

function nearest<Rates>(
  all: readonly Rates[],
  sizeOf: (rates: Rates) => number,
  wanted: number,
): Rates {
  const distance = (rates: Rates) => Math.abs(Math.log(sizeOf(rates) / wanted));
  return all.reduce((best, rates) => (distance(rates) < distance(best) ? rates : best));
}
