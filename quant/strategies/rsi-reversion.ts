import { markReversion } from "./mark.ts";
import { template } from "./template.ts";

export const rsiReversion = template({
  name: "rsi_reversion",
  title: "RSI reversion",
  family: "mean_reversion",
  description:
    "Buys a coin that the Relative Strength Index calls oversold and holds it until it is overbought.",
  entryRule: "The `period`-day RSI of the close is below `oversold`.",
  exitRule: "The `period`-day RSI of the close is above `overbought`.",
  parameters: [
    { name: "period", title: "RSI lookback", unit: "days", default: 14 },
    { name: "oversold", title: "Oversold below", unit: "RSI points", default: 30 },
    { name: "overbought", title: "Overbought above", unit: "RSI points", default: 70 },
  ],
  bounds: { period: [2, 199], oversold: [1, 99], overbought: [1, 99] },
  order: [["oversold", "overbought"]],
  steps: { period: 3, oversold: 5 },
  references: ["J. W. Wilder, New Concepts in Technical Trading Systems (1978)", "TA-Lib RSI"],
  rules(market, { period, oversold, overbought }, flags) {
    markReversion(market.rsi(period), oversold, overbought, flags);
  },
});
