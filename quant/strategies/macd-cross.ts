import { markSides } from "./mark.ts";
import { template } from "./template.ts";

export const macdCross = template({
  name: "macd_cross",
  title: "MACD cross",
  family: "momentum",
  description: "Long while the MACD line stands above its signal line.",
  entryRule:
    "The MACD line (`fast`-day EMA less `slow`-day EMA of the close) is above its signal line (the `signal`-day EMA of the line).",
  exitRule: "The MACD line is below its signal line.",
  parameters: [
    { name: "fast", title: "Fast average", unit: "days", default: 12 },
    { name: "slow", title: "Slow average", unit: "days", default: 26 },
    { name: "signal", title: "Signal line", unit: "days", default: 9 },
  ],
  bounds: { fast: [2, 149], slow: [3, 150], signal: [1, 50] },
  order: [["fast", "slow"]],
  steps: { slow: 3, signal: 2 },
  references: [
    "G. Appel, Technical Analysis: Power Tools for Active Investors (2005)",
    "TA-Lib MACD: the fast EMA is seeded on the day of the slow one",
  ],
  rules(market, params, flags) {
    const { line, signal } = market.macd(params.fast, params.slow, params.signal);
    // The line begins before the signal line; until both have values, comparisons with NaN are false.
    markSides(line, signal, flags);
  },
});
