import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const aroonTrend = template({
  name: "aroon",
  title: "Aroon",
  family: "trend",
  description:
    "Buys while the last high is fresh and fresher than the last low, until the low is the fresher.",
  entryRule: "The `period`-day Aroon up is above `level` and above Aroon down.",
  exitRule: "The `period`-day Aroon up is below Aroon down.",
  parameters: [
    { name: "period", title: "Aroon lookback", unit: "days", default: 25 },
    { name: "level", title: "Strong above", unit: "Aroon points", default: 70 },
  ],
  bounds: { period: [2, 199], level: [0, 99] },
  steps: { period: 5, level: 10 },
  references: [
    "T. S. Chande, A Time Price Oscillator, Technical Analysis of Stocks and Commodities 13(9), 1995",
    "TA-Lib AROON: period + 1 days, the latest of equal extremes counts",
  ],
  rules(market, { period, level }, flags) {
    const { up, down } = market.aroon(period);
    for (let row = 0; row < flags.length; row++) {
      if (above(down[row]!, up[row]!)) flags[row] = EXIT;
      else if (above(up[row]!, down[row]!) && above(up[row]!, level)) flags[row] = ENTER;
    }
  },
});
