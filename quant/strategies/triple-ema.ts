import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const tripleEma = template({
  name: "triple_ema",
  title: "Triple EMA",
  family: "trend",
  description:
    "Long when three exponential moving averages stand in rising order, until the order is fully reversed.",
  entryRule:
    "The `fast`-day EMA of the close is above the `medium`-day EMA, and that above the `slow`-day EMA.",
  exitRule:
    "The `fast`-day EMA of the close is below the `medium`-day EMA, and that below the `slow`-day EMA.",
  parameters: [
    { name: "fast", title: "Fast average", unit: "days", default: 4 },
    { name: "medium", title: "Medium average", unit: "days", default: 9 },
    { name: "slow", title: "Slow average", unit: "days", default: 18 },
  ],
  bounds: { fast: [1, 198], medium: [2, 199], slow: [3, 200] },
  order: [
    ["fast", "medium"],
    ["medium", "slow"],
  ],
  steps: { medium: 1, slow: 3 },
  references: [
    "R. C. Allen, How to Use the 4-Day, 9-Day and 18-Day Moving Averages to Earn Larger Profits from Commodities (1974)",
    "J. J. Murphy, Technical Analysis of the Financial Markets (1999), ch. 9: the triple crossover method, here with EMAs",
  ],
  rules(market, params, flags) {
    const fast = market.ema(params.fast);
    const medium = market.ema(params.medium);
    const slow = market.ema(params.slow);
    for (let row = 0; row < flags.length; row++) {
      if (above(fast[row]!, medium[row]!) && above(medium[row]!, slow[row]!)) flags[row] = ENTER;
      else if (above(medium[row]!, fast[row]!) && above(slow[row]!, medium[row]!))
        flags[row] = EXIT;
    }
  },
});
