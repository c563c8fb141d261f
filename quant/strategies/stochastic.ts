import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const stochasticTurn = template({
  name: "stochastic",
  title: "Stochastic",
  family: "mean_reversion",
  description:
    "Buys when the slow stochastic turns up in its oversold zone, sells when it turns down in the overbought one.",
  entryRule:
    "%K is below `oversold` and above %D. %K: where the close stands between the lowest low (0) and the highest high (100) of the last `period` days, averaged (SMA) over `smoothing` days. %D: the SMA of %K over `signal` days.",
  exitRule: "%K is above `overbought` and below %D.",
  parameters: [
    { name: "period", title: "%K lookback", unit: "days", default: 14 },
    { name: "smoothing", title: "%K smoothing (SMA)", unit: "days", default: 3 },
    { name: "signal", title: "%D smoothing (SMA of %K)", unit: "days", default: 3 },
    { name: "oversold", title: "Oversold below", unit: "stochastic points", default: 20 },
    { name: "overbought", title: "Overbought above", unit: "stochastic points", default: 80 },
  ],
  bounds: {
    period: [2, 160],
    smoothing: [1, 20],
    signal: [1, 20],
    oversold: [1, 99],
    overbought: [1, 99],
  },
  order: [["oversold", "overbought"]],
  steps: { period: 3, oversold: 5 },
  references: [
    "G. C. Lane, Lane's Stochastics, Technical Analysis of Stocks and Commodities 2(3), 1984",
    "TradingView, Stochastic Slow Strategy (14, 20, 80)",
    "TA-Lib STOCH",
  ],
  rules(market, params, flags) {
    const { oversold, overbought } = params;
    const { k, d } = market.stochastic(params.period, params.smoothing, params.signal);
    for (let row = 0; row < flags.length; row++) {
      if (above(oversold, k[row]!) && above(k[row]!, d[row]!)) flags[row] = ENTER;
      else if (above(k[row]!, overbought) && above(d[row]!, k[row]!)) flags[row] = EXIT;
    }
  },
});
