import { markSides } from "./mark.ts";
import { template } from "./template.ts";

export const maCross = template({
  name: "ma_cross",
  title: "Moving-average cross",
  family: "trend",
  description: "Long while a short simple moving average of the close stands above a long one.",
  entryRule: "The SMA of the last `fast` closes is above the SMA of the last `slow` closes.",
  exitRule: "The SMA of the last `fast` closes is below the SMA of the last `slow` closes.",
  parameters: [
    { name: "fast", title: "Fast average", unit: "days", default: 10 },
    { name: "slow", title: "Slow average", unit: "days", default: 50 },
  ],
  bounds: { fast: [1, 199], slow: [2, 200] },
  order: [["fast", "slow"]],
  steps: { fast: 2, slow: 10 },
  references: [
    "J. J. Murphy, Technical Analysis of the Financial Markets (1999), ch. 9: the 10 and 50 day pair",
    "W. Brock, J. Lakonishok, B. LeBaron, Simple Technical Trading Rules and the Stochastic Properties of Stock Returns, Journal of Finance 47(5), 1992",
    "TA-Lib SMA",
  ],
  rules(market, { fast, slow }, flags) {
    markSides(market.sma(fast), market.sma(slow), flags);
  },
});
