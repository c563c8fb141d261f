import { aroon } from "../../../quant/indicators/aroon.ts";
import { atr } from "../../../quant/indicators/atr.ts";
import { bollinger } from "../../../quant/indicators/bollinger.ts";
import type { IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { donchian } from "../../../quant/indicators/donchian.ts";
import { drawdownFromHigh } from "../../../quant/indicators/drawdown-from-high.ts";
import { keltner } from "../../../quant/indicators/keltner.ts";
import { mfi } from "../../../quant/indicators/mfi.ts";
import { parabolicSar } from "../../../quant/indicators/parabolic-sar.ts";
import { realizedVolatility } from "../../../quant/indicators/realized-volatility.ts";
import { roc } from "../../../quant/indicators/roc.ts";
import { supertrend } from "../../../quant/indicators/supertrend.ts";
import { TULIP } from "../../support/indicator-reference.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";
import type { UNRATED } from "../../../quant/signals/unrated-indicators.ts";
import {
  CLOSE,
  RANGE,
  BAR,
  price,
  dollars,
  points,
  volume,
  talib,
  middleOf,
  type Source,
  type Output,
  type IndicatorRow,
  type Scored,
} from "./row.ts";

const { close } = TULIP;
export const SCORED_BARS = madeUpBars({ seed: 4, days: 60 });
const LAST = SCORED_BARS.close.at(-1)!;

const bandsOf = (at: number) => talib("BBANDS", CLOSE, [20, 2, 2, 0], at);
const aroonOf = (at: number) => talib("AROON", RANGE, [25], at);

export const UNRATED_ROWS: Readonly<Record<keyof typeof UNRATED, IndicatorRow>> = {
  supertrend: {
    columns: {
      supertrend: price(9, (bars) => supertrend(bars, 10, 3).value),
      supertrendDirection: {
        ...points(9, (bars) => supertrend(bars, 10, 3).direction),
        flat: () => -1,
      },
    },
    firstReading: 9,
    periods: [(period) => supertrend(TULIP, period, 3)],
    factors: [(multiplier) => supertrend(TULIP, 10, multiplier)],
    scores: [
      [{ supertrendDirection: 1 }, 1],
      [{ supertrendDirection: -1 }, -1],
    ],
  },
  bollinger: {
    columns: channel("bollinger", [0, 1, 2].map(bandsOf)),
    firstReading: 19,
    periodsFrom2: [(period) => bollinger(close, period, 2)],
    factors: [(multiplier) => bollinger(close, 20, multiplier)],
    // It buys at the lower band and sells at the upper.
    scores: [
      [{ bollingerLower: LAST, bollingerUpper: LAST + 1 }, 1],
      [{ bollingerLower: LAST - 1, bollingerUpper: LAST }, -1],
      [{ bollingerLower: LAST - 1, bollingerUpper: LAST + 1 }, 0],
      [{ bollingerLower: LAST, bollingerUpper: LAST }, 0],
    ],
  },
  atr: {
    columns: { atr14: dollars(14, talib("ATR", BAR, [14])) },
    firstReading: 14,
    periods: [(period) => atr(TULIP, period)],
    scores: neutral("atr14", 1e6),
  },
  keltner: {
    columns: channel(
      "keltner",
      (["upper", "middle", "lower"] as const).map(
        (line) => (bars) => keltner(bars, 20, 10, 2)[line],
      ),
    ),
    firstReading: 19,
    periods: [(period) => keltner(TULIP, period, 10, 2), (period) => keltner(TULIP, 20, period, 2)],
    factors: [(multiplier) => keltner(TULIP, 20, 10, multiplier)],
    // It buys above the channel and sells below it.
    scores: [
      [{ keltnerLower: LAST - 2, keltnerUpper: LAST - 1 }, 1],
      [{ keltnerLower: LAST + 1, keltnerUpper: LAST + 2 }, -1],
      [{ keltnerLower: LAST, keltnerUpper: LAST }, 0],
    ],
  },
  donchian: {
    columns: channel("donchian", [
      talib("MAX", ({ high }) => [high], [20]),
      middleOf("donchianUpper", "donchianLower"),
      talib("MIN", ({ low }) => [low], [20]),
    ]),
    firstReading: 20,
    periods: [(period) => donchian(TULIP, period)],
    // It compares with the channel of the day before.
    scores: [
      [{}, 1, { donchianLower: LAST - 2, donchianUpper: LAST - 1 }],
      [{}, -1, { donchianLower: LAST + 1, donchianUpper: LAST + 2 }],
      [{}, 0, { donchianLower: LAST, donchianUpper: LAST }],
    ],
  },
  aroon: {
    columns: {
      aroonUp: { ...points(25, aroonOf(1)), flat: () => 100 },
      aroonDown: { ...points(25, aroonOf(0)), flat: () => 100 },
    },
    firstReading: 25,
    periods: [(period) => aroon(TULIP, period)],
    scores: [
      [71, 29, 1],
      [29, 71, -1],
      [71, 30, 0],
      [70, 20, 0],
      [100, 100, 0],
      [30, 71, 0],
      [29, 70, 0],
      [71, 71, 0],
      [29, 29, 0],
    ].map(([aroonUp, aroonDown, score]) => [{ aroonUp: aroonUp!, aroonDown: aroonDown! }, score!]),
  },
  parabolicSar: {
    columns: { parabolicSar: price(1, talib("SAR", RANGE, [0.02, 0.2])) },
    firstReading: 1,
    factors: [
      (acceleration) => parabolicSar(TULIP, acceleration, 0.2),
      (maximum) => parabolicSar(TULIP, 0.02, maximum),
    ],
    scores: [
      [{ parabolicSar: LAST - 1 }, 1],
      [{ parabolicSar: LAST + 1 }, -1],
    ],
  },
  mfi: {
    columns: {
      mfi14: points(
        14,
        talib("MFI", (bars) => [...BAR(bars), bars.volume], [14]),
      ),
    },
    firstReading: 14,
    periods: [(period) => mfi(TULIP, period)],
    // It buys below 20 and sells above 80.
    scores: [
      [{ mfi14: 19 }, 1],
      [{ mfi14: 20 }, 0],
      [{ mfi14: 80 }, 0],
      [{ mfi14: 81 }, -1],
    ],
  },
  obv: {
    columns: {
      obv: volume(
        0,
        1,
        talib("OBV", (bars) => [bars.close, bars.volume], []),
      ),
    },
    firstReading: 19,
  },
  roc: {
    columns: { roc12: points(12, talib("ROC", CLOSE, [12])) },
    firstReading: 12,
    periods: [(period) => roc(close, period)],
    scores: [
      [{ roc12: 0.1 }, 1],
      [{ roc12: 0 }, 0],
      [{ roc12: -0.1 }, -1],
    ],
  },
  realizedVolatility30d: {
    columns: { realizedVolatility30d: points(30, (bars) => realizedVolatility(bars.close, 30)) },
    firstReading: 30,
    periodsFrom2: [(period) => realizedVolatility(close, period)],
    scores: neutral("realizedVolatility30d", 500),
  },
  drawdownFromHigh: {
    columns: { drawdownFromHigh: points(0, (bars) => drawdownFromHigh(bars.close)) },
    firstReading: 0,
    scores: neutral("drawdownFromHigh", -99),
  },
};

/** The columns of a channel whose lines have these sources. */
function channel(name: "bollinger" | "keltner" | "donchian", sources: readonly Source[]) {
  const lines = ["Upper", "Middle", "Lower"].map((line, place) => [
    `${name}${line}`,
    price(19, sources[place]),
  ]);
  return Object.fromEntries(lines) as Readonly<Record<string, Output>>;
}

/** What only measures size is neutral, and unknown without a value. */
function neutral(column: IndicatorColumn, value: number): readonly Scored[] {
  return [
    [{ [column]: value }, 0],
    [{ [column]: NaN }, NaN],
  ];
}
