import { markStrength } from "./mark.ts";
import { template } from "./template.ts";

export const cciStrength = template({
  name: "cci",
  title: "CCI",
  family: "momentum",
  description:
    "Lambert's own use of the Commodity Channel Index: long while the typical price is unusually far above its average.",
  entryRule: "The `period`-day CCI is above `level`.",
  exitRule: "The `period`-day CCI is below `level`.",
  parameters: [
    { name: "period", title: "CCI lookback", unit: "days", default: 20 },
    { name: "level", title: "Strong above", unit: "CCI points", default: 100 },
  ],
  bounds: { period: [2, 200], level: [-500, 500] },
  steps: { period: 4, level: 25 },
  references: [
    "D. R. Lambert, Commodity Channel Index: Tool for Trading Cyclic Trends, Commodities 9(10), 1980",
    "TA-Lib CCI",
  ],
  rules(market, { period, level }, flags) {
    markStrength(market.cci(period), level, flags);
  },
});
