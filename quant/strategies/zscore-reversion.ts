import { markReturn } from "./mark.ts";
import { template } from "./template.ts";

export const zscoreReversion = template({
  name: "zscore_reversion",
  title: "Z-score reversion",
  family: "mean_reversion",
  description:
    "Buys when the log price is far below its mean of the last months, measured in its own standard deviations, and sells at the mean.",
  entryRule:
    "The natural logarithm of the close is below the mean of the logarithms of the last `period` closes less `entry` population standard deviations of them (its z-score is below -`entry`).",
  exitRule: "The logarithm of the close is above that mean (its z-score is above 0).",
  parameters: [
    { name: "period", title: "Lookback", unit: "days", default: 60 },
    { name: "entry", title: "Distance to buy at", unit: "standard deviations", default: 2 },
  ],
  bounds: { period: [2, 200], entry: [0.1, 10] },
  steps: { period: 10, entry: 0.25 },
  references: [
    "E. P. Chan, Algorithmic Trading: Winning Strategies and Their Rationale (2013), ch. 3",
    "E. Gatev, W. N. Goetzmann, K. G. Rouwenhorst, Pairs Trading, Review of Financial Studies 19(3), 2006: two standard deviations",
  ],
  rules(market, { period, entry }, flags) {
    const middle = market.logCloseMean(period);
    const channel = { middle, width: market.logCloseDeviation(period), multiplier: entry };
    markReturn(market.logClose(), channel, flags);
  },
});
