import { averageScore } from "./averages.ts";
import { line, lines, type Day } from "./indicator.ts";
import { exceeds, POINTS, scoreOf, type Score } from "./signal.ts";

/** Days in the average that serves as on-balance volume's signal. */
const OBV_AVERAGE_DAYS = 20;

/**
 * The indicators outside the technical rating, by name. Each signal is the rule that textbooks give first.
 * Rounding decides no comparison.
 */
export const UNRATED = {
  // Buy in SuperTrend's up-trend, sell in its down-trend, never neutral.
  supertrend: {
    values: ({ at }: Day) => ({
      value: at("supertrend"),
      direction: at("supertrendDirection") > 0 ? ("up" as const) : ("down" as const),
    }),
    score: ({ at }: Day) => signScore(at("supertrendDirection")),
  },
  // Band touch: buy on a close at or below the lower band, sell at or above the upper.
  bollinger: lines(
    { upper: "bollingerUpper", middle: "bollingerMiddle", lower: "bollingerLower" },
    ({ close, at, isAbove }) => {
      const [upper, lower] = [at("bollingerUpper"), at("bollingerLower")];
      const [buy, sell] = [!isAbove(close, lower), !isAbove(upper, close)];
      return scoreOf({ buy, sell, needs: [upper, lower] });
    },
  ),
  atr: line("atr14", silentScore),
  // Breakout: buy on a close above the channel, sell below it.
  keltner: lines(
    { upper: "keltnerUpper", middle: "keltnerMiddle", lower: "keltnerLower" },
    ({ close, at, isAbove }) => {
      const [upper, lower] = [at("keltnerUpper"), at("keltnerLower")];
      const [buy, sell] = [isAbove(close, upper), isAbove(lower, close)];
      return scoreOf({ buy, sell, needs: [upper, lower] });
    },
  ),
  // Buy on a close above the highest high of the 20 days before, sell below their lowest low.
  donchian: lines(
    { upper: "donchianUpper", middle: "donchianMiddle", lower: "donchianLower" },
    ({ close, at }) => {
      const [upper, lower] = [at("donchianUpper", 1), at("donchianLower", 1)];
      return scoreOf({ buy: close > upper, sell: close < lower, needs: [upper, lower] });
    },
  ),
  // Chande's trend rule: buy with up above 70 and down below 30, sell the other way round.
  aroon: lines({ up: "aroonUp", down: "aroonDown" }, ({ at }) => {
    const [up, down] = [at("aroonUp"), at("aroonDown")];
    return scoreOf({ buy: up > 70 && down < 30, sell: down > 70 && up < 30, needs: [up, down] });
  }),
  parabolicSar: line("parabolicSar", averageScore),
  // Buy below 20 (oversold), sell above 80 (overbought).
  mfi: line("mfi14", (value) =>
    scoreOf({
      buy: exceeds(20, value, POINTS),
      sell: exceeds(value, 80, POINTS),
      needs: [value],
    }),
  ),
  obv: line("obv", obvScore),
  // Buy above 0, sell below.
  roc: line("roc12", signScore),
  realizedVolatility30d: line("realizedVolatility30d", silentScore),
  drawdownFromHigh: line("drawdownFromHigh", silentScore),
};

export const UNRATED_NAMES = Object.keys(UNRATED) as readonly (keyof typeof UNRATED)[];

function signScore(value: number): Score {
  return scoreOf({ buy: value > 0, sell: value < 0, needs: [value] });
}

/** Neutral on every day: how much a price moves says nothing about its direction. */
function silentScore(value: number): Score {
  return scoreOf({ buy: false, sell: false, needs: [value] });
}

/** Buy above the average of the last 20 days, sell below. The level of on-balance volume means nothing. */
function obvScore(now: number, { at }: Day): Score {
  let excess = 0;
  let size = 0;
  for (let back = 0; back < OBV_AVERAGE_DAYS; back++) {
    const then = at("obv", back);
    excess += now - then;
    size += Math.abs(then);
  }
  return scoreOf({
    buy: exceeds(excess, 0, size),
    sell: exceeds(0, excess, size),
    needs: [excess],
  });
}
