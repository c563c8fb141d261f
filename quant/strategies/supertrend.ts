import { markStrength } from "./mark.ts";
import { template } from "./template.ts";

export const supertrendFollow = template({
  name: "supertrend",
  title: "SuperTrend",
  family: "volatility",
  description:
    "Long while SuperTrend, a stop that trails price at a distance of average true ranges, shows an up-trend.",
  entryRule:
    "SuperTrend's direction is up: since it was last down a close rose above its upper band, and no close has fallen below its lower band since. The bands stand `multiplier` times the `period`-day average true range from the middle of the day's range and only move towards price until a close crosses them.",
  exitRule:
    "SuperTrend's direction is down: since it was last up a close fell below its lower band, and no close has risen above its upper band since.",
  parameters: [
    { name: "period", title: "Average true range lookback", unit: "days", default: 10 },
    { name: "multiplier", title: "Distance of the stop", unit: "average true ranges", default: 3 },
  ],
  bounds: { period: [1, 200], multiplier: [0.1, 20] },
  steps: { period: 2, multiplier: 0.5 },
  references: [
    "O. Seban, Tout le monde mérite d'être riche (2008)",
    "TradingView, ta.supertrend (10, 3); the average true range is Wilder's, the first day's range included; it begins down",
  ],
  rules(market, { period, multiplier }, flags) {
    markStrength(market.supertrend(period, multiplier).direction, 0, flags);
  },
});
