import { markBreakout } from "./mark.ts";
import { template } from "./template.ts";

export const keltnerBreakout = template({
  name: "keltner_breakout",
  title: "Keltner breakout",
  family: "breakout",
  description:
    "Buys a close above the upper Keltner channel and holds while price stays above the middle.",
  entryRule:
    "The close is above the upper channel: the `period`-day EMA of the close plus `multiplier` times the `atr`-day average true range.",
  exitRule: "The close is below the middle of the channel, the `period`-day EMA of the close.",
  parameters: [
    { name: "period", title: "Channel lookback", unit: "days", default: 20 },
    { name: "atr", title: "Average true range lookback", unit: "days", default: 10 },
    { name: "multiplier", title: "Channel width", unit: "average true ranges", default: 2 },
  ],
  bounds: { period: [1, 200], atr: [1, 200], multiplier: [0.1, 20] },
  steps: { period: 5, multiplier: 0.5 },
  references: [
    "C. W. Keltner, How to Make Money in Commodities (1960); with EMA and ATR after L. B. Raschke",
    "TradingView, Keltner Channels (20, 10, 2); the average true range is Wilder's, the first day's range included",
  ],
  rules(market, { period, atr, multiplier }, flags) {
    const channel = { middle: market.ema(period), width: market.averageRange(atr), multiplier };
    markBreakout(market.bars.close, channel, flags);
  },
});
