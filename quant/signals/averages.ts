import { AVERAGE_PERIODS, type AveragePeriod } from "../indicators/columns.ts";
import { line, type Day } from "./indicator.ts";
import { scoreOf, type Score } from "./signal.ts";

/**
 * Displacement of the Ichimoku cloud in days: the cloud over a day was computed this many rows earlier.
 * (TradingView's chart counts the day itself and draws it 25 bars ahead.)
 */
export const ICHIMOKU_DISPLACEMENT = 26;

export const EMA = byPeriod("ema");
export const SMA = byPeriod("sma");

/**
 * With `EMA` and `SMA`, the moving-average half of the technical rating: 15 components. Source: TradingView,
 * Technical Ratings.
 */
export const AVERAGES = {
  hullMa: line("hullMa9", averageScore),
  vwma: line("vwma20", averageScore),
  /**
   * `lead1` and `lead2` are the spans computed on the day, which a chart draws 26 days ahead. `cloudLead1`
   * and `cloudLead2` were computed 26 days earlier: they bound the cloud at the day's own price.
   */
  ichimoku: {
    values: ({ at }: Day) => ({
      conversion: at("ichimokuConversion"),
      base: at("ichimokuBase"),
      lead1: at("ichimokuLead1"),
      lead2: at("ichimokuLead2"),
      cloudLead1: at("ichimokuLead1", ICHIMOKU_DISPLACEMENT),
      cloudLead2: at("ichimokuLead2", ICHIMOKU_DISPLACEMENT),
    }),
    score: ichimokuScore,
  },
};

/** Averages of the close by their period in days. */
function byPeriod(kind: "ema" | "sma") {
  const members = AVERAGE_PERIODS.map((days) => [days, line(`${kind}${days}`, averageScore)]);
  return Object.fromEntries(members) as Record<AveragePeriod, ReturnType<typeof line>>;
}

/** Buy while the average is below the close, sell while it is above. */
export function averageScore(average: number, { close, isAbove }: Day): Score {
  return scoreOf({
    buy: isAbove(close, average),
    sell: isAbove(average, close),
    needs: [average],
  });
}

/** Buy when cloud, base line, conversion line and close are in ascending order, sell when in descending order. */
function ichimokuScore({ close, at, isAbove }: Day): Score {
  const lead1 = at("ichimokuLead1", ICHIMOKU_DISPLACEMENT);
  const lead2 = at("ichimokuLead2", ICHIMOKU_DISPLACEMENT);
  const base = at("ichimokuBase");
  const conversion = at("ichimokuConversion");
  return scoreOf({
    buy:
      isAbove(lead1, lead2) &&
      isAbove(base, lead1) &&
      isAbove(conversion, base) &&
      isAbove(close, conversion),
    sell:
      isAbove(lead2, lead1) &&
      isAbove(lead1, base) &&
      isAbove(base, conversion) &&
      isAbove(conversion, close),
    needs: [lead1, lead2, base, conversion],
  });
}
