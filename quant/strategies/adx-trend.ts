import { firstNumberRow } from "../indicators/column.ts";
import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const adxTrend = template({
  name: "adx_trend",
  title: "ADX trend",
  family: "trend",
  description:
    "Buys a rising market once the Average Directional Index calls it a trend, and holds while it points up.",
  entryRule: "The `period`-day ADX is above `threshold` and +DI is above -DI.",
  exitRule: "+DI is below -DI.",
  parameters: [
    { name: "period", title: "Directional movement lookback", unit: "days", default: 14 },
    { name: "threshold", title: "Trending above", unit: "ADX points", default: 25 },
  ],
  bounds: { period: [2, 100], threshold: [0, 99] },
  steps: { period: 3, threshold: 5 },
  references: [
    "J. W. Wilder, New Concepts in Technical Trading Systems (1978)",
    "TA-Lib ADX, PLUS_DI, MINUS_DI",
  ],
  rules(market, { period, threshold }, flags) {
    const { adx, plusDi, minusDi } = market.adx(period);
    for (let row = firstNumberRow(adx); row < flags.length; row++) {
      if (above(minusDi[row]!, plusDi[row]!)) flags[row] = EXIT;
      else if (above(plusDi[row]!, minusDi[row]!) && above(adx[row]!, threshold))
        flags[row] = ENTER;
    }
  },
});
