import { expect, test } from "vitest";
import { aroon } from "../../../quant/indicators/aroon.ts";
import { awesomeOscillator } from "../../../quant/indicators/awesome-oscillator.ts";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import { hullMa } from "../../../quant/indicators/hull-ma.ts";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { momentum } from "../../../quant/indicators/momentum.ts";
import { rma } from "../../../quant/indicators/rma.ts";
import { rsi } from "../../../quant/indicators/rsi.ts";
import { sma } from "../../../quant/indicators/sma.ts";
import { standardDeviation } from "../../../quant/indicators/standard-deviation.ts";
import { stochRsi } from "../../../quant/indicators/stoch-rsi.ts";
import { stochastic } from "../../../quant/indicators/stochastic.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { trueRange } from "../../../quant/indicators/true-range.ts";
import { typicalPrice } from "../../../quant/indicators/typical-price.ts";
import { ultimateOscillator } from "../../../quant/indicators/ultimate-oscillator.ts";
import { vwma } from "../../../quant/indicators/vwma.ts";
import { williamsR } from "../../../quant/indicators/williams-r.ts";
import { wma } from "../../../quant/indicators/wma.ts";
import { TALIPP, TULIP } from "../../support/indicator-reference.ts";

const { close } = TULIP;
const age = aroon(TULIP, 5);
const bands = bollinger(close, 5, 2);
const ranges = trueRange(TULIP);
const slow = stochastic(TULIP, 5, 3, 3);
const ofRsi = stochRsi(close, 5, 5, 1, 1);

/** Of the fifteen days of Tulip's tests. */
const OF_TULIP = {
  aroonDown: age.down,
  aroonUp: age.up,
  bollingerLower: bands.lower,
  bollingerMiddle: bands.middle,
  bollingerUpper: bands.upper,
  hullMa: hullMa(close, 5),
  mfi: mfi(TULIP, 5),
  momentum: momentum(close, 5),
  rma: rma(close, 5),
  rmaOfRanges: rma(ranges, 5), // the average true range of TradingView, too
  rsi: rsi(close, 5),
  sma: sma(close, 5),
  standardDeviation: standardDeviation(close, 5),
  stochRsi: ofRsi.k.map((value) => value / 100), // printed as a share of 1
  stochasticK: slow.k,
  stochasticD: slow.d,
  trueRange: ranges,
  typicalPrice: typicalPrice(TULIP).slice(0, 5),
  ultimateOscillator: ultimateOscillator(TULIP, 2, 3, 5),
  vwma: vwma(TULIP, 5),
  williamsR: williamsR(TULIP, 5),
  wma: wma(close, 5),
};

/** Their last values as Tulip prints them. */
const PRINTED_BY_TULIP: Readonly<Record<keyof typeof OF_TULIP, string>> = {
  aroonDown: "20.000 0.000 0.000 80.000 60.000 40.000 20.000 0.000 40.000 20.000",
  aroonUp: "100.000 80.000 100.000 100.000 100.000 100.000 100.000 100.000 100.000 80.000",
  bollingerLower: "80.530 80.987 82.533 82.472 82.418 82.435 82.511 83.143 83.536 83.870 85.289",
  bollingerMiddle: "82.426 82.738 83.094 83.318 83.628 83.778 84.254 84.994 85.574 86.218 86.804",
  bollingerUpper: "84.322 84.489 83.655 84.164 84.838 85.121 85.997 86.845 87.612 88.566 88.319",
  hullMa: "83.690 83.038 83.472 84.550 84.835 85.360 86.552 87.346 87.965 87.916",
  mfi: "61.172 67.308 62.796 64.661 45.238 67.841 85.578 85.963 87.504 84.647",
  momentum: "1.560 1.780 1.120 1.550 0.750 2.380 3.700 2.900 3.220 2.930",
  rma: "82.426 82.571 82.625 82.898 83.228 83.455 83.870 84.404 84.901 85.475 85.838",
  rmaOfRanges: "1.116 1.051 1.009 1.207 1.136 1.086 1.243 1.233 1.230 1.206 1.137",
  rsi: "72.034 64.927 75.936 79.796 74.713 83.033 87.478 88.755 91.483 78.498",
  sma: "82.426 82.738 83.094 83.318 83.628 83.778 84.254 84.994 85.574 86.218 86.804",
  standardDeviation: "0.948 0.875 0.280 0.423 0.605 0.671 0.871 0.926 1.019 1.174 0.758",
  stochRsi: "0.658 1.000 1.000 1.000 1.000 0.000",
  stochasticK: "77.385 83.126 84.867 88.361 95.246 96.740 91.091",
  stochasticD: "75.702 78.011 81.793 85.452 89.491 93.449 94.359",
  trueRange:
    "0.860 1.250 1.970 0.650 0.850 0.790 0.840 2.000 0.850 0.890 1.870 1.190 1.220 1.110 0.860",
  typicalPrice: "81.677 81.197 82.403 82.983 83.510",
  ultimateOscillator: "43.499 34.044 65.883 73.955 53.388 64.149 81.282 90.186 86.114 65.450",
  vwma: "82.332 82.610 83.070 83.354 83.682 83.822 84.409 85.165 85.698 86.418 86.805",
  williamsR: "-7.477 -23.006 -40.927 -15.500 -11.417 -23.704 -10.278 -0.935 -3.051 -5.793 -17.884",
  wma: "82.825 83.066 83.100 83.399 83.809 84.053 84.637 85.399 86.031 86.763 87.121",
};

const narrow = keltner(TALIPP, 10, 10, 2);
const wide = keltner(TALIPP, 10, 10, 3);
const trend = supertrend(TALIPP, 10, 3);

/** Of the fifty days of talipp's tests. */
const OF_TALIPP = {
  awesomeOscillator: awesomeOscillator(TALIPP),
  hullMa: hullMa(TALIPP.close, 20),
  keltnerUpper: narrow.upper,
  keltnerMiddle: narrow.middle,
  keltnerLower: wide.lower,
  supertrend: trend.value,
  supertrendDirection: trend.direction,
  supertrendOf35Days: trend.value.slice(0, 35),
  supertrendDirectionOf35Days: trend.direction.slice(0, 35),
  vwma: vwma(TALIPP, 20),
};

/** Their last values as talipp 2.7.0 has them. */
const PRINTED_BY_TALIPP: Readonly<Record<keyof typeof OF_TALIPP, string>> = {
  awesomeOscillator: "0.58547 0.73435 0.92456 1.16985 1.32032",
  hullMa: "9.71802 9.94019 10.10407",
  keltnerUpper: "11.00187 11.09664 11.16139",
  keltnerMiddle: "9.6439 9.7505 9.7958",
  keltnerLower: "7.60691 7.73118 7.74748",
  supertrend: "8.11003 8.48803 8.48803 8.48803",
  supertrendDirection: "1 1 1 1",
  supertrendOf35Days: "9.71159",
  supertrendDirectionOf35Days: "-1",
  vwma: "9.32020 9.35260 9.45771",
};

/** A column's last values, as many and with as many digits as are printed. */
function lastOf(column: Float64Array, printed: string): string {
  const count = printed.split(" ").length;
  const digits = /\.(\d+)/.exec(printed)?.[1]?.length ?? 0;
  return Array.from(column.slice(-count), (value) => value.toFixed(digits)).join(" ");
}

test.each(Object.keys(OF_TULIP) as (keyof typeof OF_TULIP)[])(
  "%s is what Tulip publishes",
  (name) => {
    expect(lastOf(OF_TULIP[name], PRINTED_BY_TULIP[name])).toBe(PRINTED_BY_TULIP[name]);
  },
);

test.each(Object.keys(OF_TALIPP) as (keyof typeof OF_TALIPP)[])(
  "%s is what talipp publishes",
  (name) => {
    expect(lastOf(OF_TALIPP[name], PRINTED_BY_TALIPP[name])).toBe(PRINTED_BY_TALIPP[name]);
  },
);
