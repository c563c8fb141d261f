import type { AVERAGE_PERIODS, IndicatorColumns } from "../indicators/columns.ts";
import { exceeds, scoreOf, valueBack, type Score } from "./signal.ts";

/**
 * Displacement of the Ichimoku cloud in days: the cloud over a day was computed this many rows earlier.
 * (TradingView's chart counts the day itself and draws it 25 bars ahead.)
 */
export const ICHIMOKU_DISPLACEMENT = 26;

export type AveragePeriod = (typeof AVERAGE_PERIODS)[number];

/** Scores of the moving-average half of the technical rating: 14 averages and Ichimoku. */
export interface AverageScores {
  readonly ema: Readonly<Record<AveragePeriod, Score>>;
  readonly sma: Readonly<Record<AveragePeriod, Score>>;
  readonly hullMa: Score;
  readonly vwma: Score;
  readonly ichimoku: Score;
}

/** The moving-average half on a row, by the rules of the current TradingView Technical Ratings. */
export function averageScores(
  columns: IndicatorColumns,
  row: number,
  close: number,
): AverageScores {
  const side = (average: Float64Array): Score => averageScore(average[row]!, close);
  return {
    ema: {
      10: side(columns.ema10),
      20: side(columns.ema20),
      30: side(columns.ema30),
      50: side(columns.ema50),
      100: side(columns.ema100),
      200: side(columns.ema200),
    },
    sma: {
      10: side(columns.sma10),
      20: side(columns.sma20),
      30: side(columns.sma30),
      50: side(columns.sma50),
      100: side(columns.sma100),
      200: side(columns.sma200),
    },
    hullMa: side(columns.hullMa9),
    vwma: side(columns.vwma20),
    ichimoku: ichimokuScore(columns, row, close),
  };
}

/** Buy while the average is below the close, sell while it is above. */
export function averageScore(average: number, close: number): Score {
  return scoreOf({
    buy: exceeds(close, average, close),
    sell: exceeds(average, close, close),
    needs: [average],
  });
}

/**
 * Buy when cloud, base line, conversion line and close are in ascending order; sell when in descending
 * order.
 */
function ichimokuScore(columns: IndicatorColumns, row: number, close: number): Score {
  const lead1 = valueBack(columns.ichimokuLead1, row, ICHIMOKU_DISPLACEMENT);
  const lead2 = valueBack(columns.ichimokuLead2, row, ICHIMOKU_DISPLACEMENT);
  const base = columns.ichimokuBase[row]!;
  const conversion = columns.ichimokuConversion[row]!;
  const above = (value: number, line: number) => exceeds(value, line, close);
  return scoreOf({
    buy:
      above(lead1, lead2) &&
      above(base, lead1) &&
      above(conversion, base) &&
      above(close, conversion),
    sell:
      above(lead2, lead1) &&
      above(lead1, base) &&
      above(base, conversion) &&
      above(conversion, close),
    needs: [lead1, lead2, base, conversion],
  });
}
