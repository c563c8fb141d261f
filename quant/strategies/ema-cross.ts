import { markSides } from "./mark.ts";
import { template } from "./template.ts";

export const emaCross = template({
  name: "ema_cross",
  title: "EMA cross",
  family: "trend",
  description:
    "Long while a short exponential moving average of the close stands above a long one.",
  entryRule: "The `fast`-day EMA of the close is above the `slow`-day EMA.",
  exitRule: "The `fast`-day EMA of the close is below the `slow`-day EMA.",
  parameters: [
    { name: "fast", title: "Fast average", unit: "days", default: 12 },
    { name: "slow", title: "Slow average", unit: "days", default: 26 },
  ],
  bounds: { fast: [1, 199], slow: [2, 200] },
  order: [["fast", "slow"]],
  steps: { fast: 2, slow: 4 },
  references: [
    "G. Appel, Technical Analysis: Power Tools for Active Investors (2005): the 12 and 26 day pair",
    "TA-Lib EMA: weight 2 / (days + 1), seeded with the mean of the first closes",
  ],
  rules(market, { fast, slow }, flags) {
    markSides(market.ema(fast), market.ema(slow), flags);
  },
});
