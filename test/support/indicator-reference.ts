import type { Bars } from "../../quant/bars.ts";

/** Fifteen days from the tests of Tulip Indicators (tests/untest.txt), which publish values for them. */
export const TULIP = bars({
  open: [
    81.85, 81.2, 81.55, 82.91, 83.1, 83.41, 82.71, 82.7, 84.2, 84.25, 84.03, 85.45, 86.18, 88.0,
    87.6,
  ],
  high: [
    82.15, 81.89, 83.03, 83.3, 83.85, 83.9, 83.33, 84.3, 84.84, 85.0, 85.9, 86.58, 86.98, 88.0,
    87.87,
  ],
  low: [
    81.29, 80.64, 81.31, 82.65, 83.07, 83.11, 82.49, 82.3, 84.15, 84.11, 84.03, 85.39, 85.76, 87.17,
    87.01,
  ],
  close: [
    81.59, 81.06, 82.87, 83.0, 83.61, 83.15, 82.84, 83.99, 84.55, 84.36, 85.53, 86.54, 86.89, 87.77,
    87.29,
  ],
  volume: [
    5653100, 6447400, 7690900, 3831400, 4455100, 3798000, 3936200, 4732000, 4841300, 3915300,
    6830800, 6694100, 5293600, 7985800, 4807900,
  ],
});

/** Fifty days from the tests of talipp (test/TalippTest.py), which publish values for them. */
export const TALIPP = bars({
  open: [
    10.81, 10.58, 10.07, 10.58, 10.56, 10.4, 10.74, 10.16, 10.29, 9.4, 9.62, 9.35, 8.64, 8.8, 8.31,
    7.56, 7.61, 7.04, 8.56, 9.26, 8.95, 9.31, 9.1, 8.51, 8.42, 8.3, 7.87, 7.94, 8.1, 8.08, 7.49,
    7.4, 8.09, 8.86, 8.81, 9.16, 9.69, 9.45, 9.18, 9.4, 9.0, 9.11, 9.23, 9.34, 8.49, 9.3, 10.23,
    10.29, 10.77, 10.28,
  ],
  high: [
    11.02, 10.74, 10.65, 11.05, 10.7, 10.73, 11.16, 10.86, 10.29, 10.8, 9.62, 9.35, 9.43, 8.91,
    8.84, 7.82, 7.61, 8.84, 9.42, 9.5, 9.29, 9.4, 9.1, 8.51, 8.95, 8.7, 8.95, 8.75, 8.39, 8.28,
    7.58, 8.17, 8.83, 9.2, 9.25, 10.1, 9.88, 9.65, 9.32, 9.4, 9.01, 9.36, 9.46, 9.34, 9.4, 10.5,
    10.3, 10.86, 10.77, 10.39,
  ],
  low: [
    9.9, 9.78, 9.5, 10.47, 10.26, 10.4, 10.12, 9.91, 9.4, 9.11, 9.12, 8.5, 8.55, 8.21, 7.34, 7.53,
    6.5, 7.04, 8.15, 8.72, 8.6, 8.89, 8.14, 8.24, 8.06, 7.7, 7.87, 7.94, 8.0, 7.37, 7.49, 7.38,
    8.05, 8.79, 8.67, 9.16, 8.9, 9.17, 8.6, 8.92, 8.99, 9.11, 9.11, 8.43, 8.42, 9.26, 10.0, 10.19,
    10.15, 9.62,
  ],
  close: [
    10.5, 9.78, 10.46, 10.51, 10.55, 10.72, 10.16, 10.25, 9.4, 9.5, 9.23, 8.5, 8.8, 8.33, 7.53,
    7.61, 6.78, 8.6, 9.21, 8.95, 9.22, 9.1, 8.31, 8.37, 8.3, 7.78, 8.05, 8.1, 8.08, 7.49, 7.58,
    8.17, 8.83, 8.91, 9.2, 9.76, 9.42, 9.3, 9.32, 9.04, 9.0, 9.33, 9.34, 8.49, 9.21, 10.15, 10.3,
    10.59, 10.23, 10.0,
  ],
  volume: [
    55.03, 117.86, 301.04, 157.94, 39.96, 42.87, 191.95, 55.09, 131.58, 249.69, 77.75, 197.33,
    107.93, 35.86, 269.05, 34.18, 209.1, 241.95, 162.86, 112.99, 66.53, 87.5, 349.14, 44.38, 45.79,
    139.4, 46.49, 27.45, 16.44, 83.54, 15.08, 60.72, 140.22, 171.6, 209.26, 199.2, 165.77, 61.71,
    29.73, 12.93, 4.14, 12.45, 42.23, 133.29, 120.02, 255.3, 111.55, 108.27, 48.29, 81.66,
  ],
});

/**
 * A price that rises by exactly 1 a day, with a range of 2: its averages, extremes and changes can be worked
 * out by hand.
 */
export function ramp(days: number): Bars {
  const middle = Array.from({ length: days }, (_, row) => 100 + row);
  return bars({
    open: middle,
    high: middle.map((price) => price + 1),
    low: middle.map((price) => price - 1),
    close: middle,
    volume: middle.map(() => 1),
  });
}

/** The same market upside down: what rose falls. Prices stay positive. */
export function mirrored(original: Bars): Bars {
  const top = 2 * Math.max(...original.high);
  const flip = (column: Float64Array) => column.map((price) => top - price);
  return {
    ...original,
    open: flip(original.open),
    high: flip(original.low),
    low: flip(original.high),
    close: flip(original.close),
  };
}

function bars(columns: Record<"open" | "high" | "low" | "close" | "volume", number[]>): Bars {
  return {
    day: Int32Array.from(columns.close, (_, row) => 18_262 + row),
    open: Float64Array.from(columns.open),
    high: Float64Array.from(columns.high),
    low: Float64Array.from(columns.low),
    close: Float64Array.from(columns.close),
    volume: Float64Array.from(columns.volume),
  };
}
