import { markBreakout } from "./mark.ts";
import { template } from "./template.ts";

export const bollingerBreakout = template({
  name: "bollinger_breakout",
  title: "Bollinger breakout",
  family: "breakout",
  description:
    "Buys a close above the upper Bollinger band and holds while price stays above the middle.",
  entryRule:
    "The close is above the upper band: the SMA of the last `period` closes plus `multiplier` population standard deviations of them.",
  exitRule: "The close is below the middle band, the SMA of the last `period` closes.",
  parameters: [
    { name: "period", title: "Band lookback", unit: "days", default: 20 },
    { name: "multiplier", title: "Band width", unit: "standard deviations", default: 2 },
  ],
  bounds: { period: [2, 200], multiplier: [0.1, 10] },
  steps: { period: 5, multiplier: 0.25 },
  references: [
    "J. Bollinger, Bollinger on Bollinger Bands (2001), Method I: volatility breakout",
    "TA-Lib BBANDS",
  ],
  rules(market, { period, multiplier }, flags) {
    const channel = { middle: market.sma(period), width: market.deviation(period), multiplier };
    markBreakout(market.bars.close, channel, flags);
  },
});
