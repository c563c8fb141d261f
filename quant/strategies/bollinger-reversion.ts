import { markReturn } from "./mark.ts";
import { template } from "./template.ts";

export const bollingerReversion = template({
  name: "bollinger_reversion",
  title: "Bollinger reversion",
  family: "mean_reversion",
  description:
    "Buys a close below the lower Bollinger band and sells when price is back above the middle.",
  entryRule:
    "The close is below the lower band: the SMA of the last `period` closes less `multiplier` population standard deviations of them.",
  exitRule: "The close is above the middle band, the SMA of the last `period` closes.",
  parameters: [
    { name: "period", title: "Band lookback", unit: "days", default: 20 },
    { name: "multiplier", title: "Band width", unit: "standard deviations", default: 2 },
  ],
  bounds: { period: [2, 200], multiplier: [0.1, 10] },
  steps: { period: 5, multiplier: 0.25 },
  references: ["J. Bollinger, Bollinger on Bollinger Bands (2001)", "TA-Lib BBANDS"],
  rules(market, { period, multiplier }, flags) {
    const channel = { middle: market.sma(period), width: market.deviation(period), multiplier };
    markReturn(market.bars.close, channel, flags);
  },
});
