import { markReversion } from "./mark.ts";
import { template } from "./template.ts";

export const mfiReversion = template({
  name: "mfi",
  title: "Money Flow Index",
  family: "mean_reversion",
  description:
    "Buys when the volume-weighted RSI shows money rushing out, sells when it shows money rushing in.",
  entryRule: "The `period`-day Money Flow Index is below `oversold`.",
  exitRule: "The `period`-day Money Flow Index is above `overbought`.",
  parameters: [
    { name: "period", title: "MFI lookback", unit: "days", default: 14 },
    { name: "oversold", title: "Oversold below", unit: "MFI points", default: 20 },
    { name: "overbought", title: "Overbought above", unit: "MFI points", default: 80 },
  ],
  bounds: { period: [2, 199], oversold: [1, 99], overbought: [1, 99] },
  order: [["oversold", "overbought"]],
  steps: { period: 3, oversold: 5 },
  references: [
    "G. Quong, A. Soudack, Volume-Weighted RSI: Money Flow, Technical Analysis of Stocks and Commodities 7(3), 1989",
    "TA-Lib MFI",
  ],
  rules(market, { period, oversold, overbought }, flags) {
    markReversion(market.mfi(period), oversold, overbought, flags);
  },
});
