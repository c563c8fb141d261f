import { markStrength } from "./mark.ts";
import { template } from "./template.ts";

export const rsiTrend = template({
  name: "rsi_trend",
  title: "RSI trend",
  family: "momentum",
  description:
    "Long while the Relative Strength Index stands in its upper half: gains outweigh losses.",
  entryRule: "The `period`-day RSI of the close is above `level`.",
  exitRule: "The `period`-day RSI of the close is below `level`.",
  parameters: [
    { name: "period", title: "RSI lookback", unit: "days", default: 14 },
    { name: "level", title: "Centre line", unit: "RSI points", default: 50 },
  ],
  bounds: { period: [2, 199], level: [1, 99] },
  steps: { period: 3, level: 5 },
  references: [
    "J. W. Wilder, New Concepts in Technical Trading Systems (1978)",
    "C. Brown, Technical Analysis for the Trading Professional (1999), ch. 1: the RSI's bull and bear ranges",
    "TA-Lib RSI",
  ],
  rules(market, { period, level }, flags) {
    markStrength(market.rsi(period), level, flags);
  },
});
