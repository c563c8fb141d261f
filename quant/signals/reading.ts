import type { Bars } from "../bars.ts";
import type { IndicatorColumns } from "../indicators/columns.ts";
import {
  averageScores,
  ICHIMOKU_DISPLACEMENT,
  type AveragePeriod,
  type AverageScores,
} from "./average-scores.ts";
import { unratedReadings, type UnratedReadings } from "./unrated-indicators.ts";
import { oscillatorScores, type OscillatorScores } from "./oscillator-scores.ts";
import { summarize, type RatingSummary } from "./rating.ts";
import { signalled, valueBack, type Score, type Signalled } from "./signal.ts";

type Line = Signalled<{ value: number }>;
type Lines<Names extends string> = Signalled<Record<Names, number>>;

/**
 * Every indicator of a day, by name. Prices are in dollars, oscillators in points, `roc` in percent as in
 * its definition; realised volatility and drawdown are fractions.
 */
export interface ReadingIndicators extends UnratedReadings {
  readonly rsi: Line;
  readonly macd: Lines<"line" | "signalLine" | "histogram">;
  readonly stochastic: Lines<"k" | "d">;
  readonly stochRsi: Lines<"k" | "d">;
  readonly cci: Line;
  readonly adx: Lines<"adx" | "plusDi" | "minusDi">;
  readonly awesomeOscillator: Line;
  readonly momentum: Line;
  readonly williamsR: Line;
  readonly bullBearPower: Lines<"bull" | "bear">;
  readonly ultimateOscillator: Line;
  /** By period in days. */
  readonly ema: Readonly<Record<AveragePeriod, Line>>;
  /** By period in days. */
  readonly sma: Readonly<Record<AveragePeriod, Line>>;
  readonly hullMa: Line;
  readonly vwma: Line;
  /**
   * `lead1` and `lead2` are the spans computed on the day, which a chart draws 26 days ahead. `cloudLead1`
   * and `cloudLead2` were computed 26 days earlier: they bound the cloud at the day's own price.
   */
  readonly ichimoku: Lines<"conversion" | "base" | "lead1" | "lead2" | "cloudLead1" | "cloudLead2">;
}

/** One coin as it stood at the close of a day. */
export interface Reading {
  readonly day: number;
  readonly close: number;
  /** Change of the close over 1, 7 and 30 days, as fractions; NaN where the history is too short. */
  readonly change1d: number;
  readonly change7d: number;
  readonly change30d: number;
  readonly indicators: ReadingIndicators;
  readonly summary: RatingSummary;
}

/** The reading of any row, from the bars and their `computeIndicators` columns. */
export function readingAt(bars: Bars, columns: IndicatorColumns, row: number): Reading {
  if (!Number.isInteger(row) || row < 0 || row >= bars.day.length) {
    throw new RangeError(`no row ${row} in ${bars.day.length} days`);
  }
  const close = bars.close[row]!;
  const averages = averageScores(columns, row, close);
  const oscillators = oscillatorScores(columns, row, close);
  return {
    day: bars.day[row]!,
    close,
    change1d: close / valueBack(bars.close, row, 1) - 1,
    change7d: close / valueBack(bars.close, row, 7) - 1,
    change30d: close / valueBack(bars.close, row, 30) - 1,
    indicators: {
      ...oscillatorReadings(columns, row, oscillators),
      ...averageReadings(columns, row, averages),
      ...unratedReadings(bars, columns, row),
    },
    summary: summarize(averages, oscillators),
  };
}

function oscillatorReadings(columns: IndicatorColumns, row: number, scores: OscillatorScores) {
  const at = (column: Float64Array): number => column[row]!;
  return {
    rsi: line(at(columns.rsi14), scores.rsi),
    macd: signalled(
      {
        line: at(columns.macdLine),
        signalLine: at(columns.macdSignal),
        histogram: at(columns.macdHistogram),
      },
      scores.macd,
    ),
    stochastic: signalled({ k: at(columns.stochK), d: at(columns.stochD) }, scores.stochastic),
    stochRsi: signalled({ k: at(columns.stochRsiK), d: at(columns.stochRsiD) }, scores.stochRsi),
    cci: line(at(columns.cci20), scores.cci),
    adx: signalled(
      {
        adx: at(columns.adx14),
        plusDi: at(columns.plusDi14),
        minusDi: at(columns.minusDi14),
      },
      scores.adx,
    ),
    awesomeOscillator: line(at(columns.awesomeOscillator), scores.awesomeOscillator),
    momentum: line(at(columns.momentum10), scores.momentum),
    williamsR: line(at(columns.williamsR14), scores.williamsR),
    bullBearPower: signalled(
      { bull: at(columns.bullPower13), bear: at(columns.bearPower13) },
      scores.bullBearPower,
    ),
    ultimateOscillator: line(at(columns.ultimateOscillator), scores.ultimateOscillator),
  };
}

function averageReadings(columns: IndicatorColumns, row: number, scores: AverageScores) {
  const at = (column: Float64Array): number => column[row]!;
  return {
    ema: {
      10: line(at(columns.ema10), scores.ema[10]),
      20: line(at(columns.ema20), scores.ema[20]),
      30: line(at(columns.ema30), scores.ema[30]),
      50: line(at(columns.ema50), scores.ema[50]),
      100: line(at(columns.ema100), scores.ema[100]),
      200: line(at(columns.ema200), scores.ema[200]),
    },
    sma: {
      10: line(at(columns.sma10), scores.sma[10]),
      20: line(at(columns.sma20), scores.sma[20]),
      30: line(at(columns.sma30), scores.sma[30]),
      50: line(at(columns.sma50), scores.sma[50]),
      100: line(at(columns.sma100), scores.sma[100]),
      200: line(at(columns.sma200), scores.sma[200]),
    },
    hullMa: line(at(columns.hullMa9), scores.hullMa),
    vwma: line(at(columns.vwma20), scores.vwma),
    ichimoku: signalled(
      {
        conversion: at(columns.ichimokuConversion),
        base: at(columns.ichimokuBase),
        lead1: at(columns.ichimokuLead1),
        lead2: at(columns.ichimokuLead2),
        cloudLead1: valueBack(columns.ichimokuLead1, row, ICHIMOKU_DISPLACEMENT),
        cloudLead2: valueBack(columns.ichimokuLead2, row, ICHIMOKU_DISPLACEMENT),
      },
      scores.ichimoku,
    ),
  };
}

function line(value: number, score: Score): Line {
  return signalled({ value }, score);
}
