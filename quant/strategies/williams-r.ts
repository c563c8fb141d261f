import { markReversion } from "./mark.ts";
import { template } from "./template.ts";

export const williamsReversion = template({
  name: "williams_r",
  title: "Williams %R",
  family: "mean_reversion",
  description: "Buys a close near the bottom of its recent range and sells one near the top.",
  entryRule: "The `period`-day Williams %R is below `oversold`.",
  exitRule: "The `period`-day Williams %R is above `overbought`.",
  parameters: [
    { name: "period", title: "%R lookback", unit: "days", default: 14 },
    { name: "oversold", title: "Oversold below", unit: "%R points (-100 to 0)", default: -80 },
    { name: "overbought", title: "Overbought above", unit: "%R points (-100 to 0)", default: -20 },
  ],
  bounds: { period: [2, 200], oversold: [-99, -1], overbought: [-99, -1] },
  order: [["oversold", "overbought"]],
  steps: { period: 3, oversold: 5 },
  references: [
    "L. Williams, How I Made One Million Dollars Last Year Trading Commodities (1973)",
    "TA-Lib WILLR",
  ],
  rules(market, { period, oversold, overbought }, flags) {
    markReversion(market.williamsR(period), oversold, overbought, flags);
  },
});
