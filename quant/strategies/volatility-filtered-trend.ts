import { firstNumberRow } from "../indicators/column.ts";
import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const volatilityFilteredTrend = template({
  name: "volatility_filtered_trend",
  title: "Volatility-filtered trend",
  family: "volatility",
  description:
    "Long above a long moving average, but only while volatility is not above its own recent norm.",
  entryRule:
    "The close is above the SMA of the last `trend` closes, and the volatility of the last `days` days (sample standard deviation of log returns) is below `ratio` times its own SMA over `norm` days.",
  exitRule:
    "The close is below the SMA of the last `trend` closes, or the volatility is above `ratio` times its own SMA.",
  parameters: [
    { name: "trend", title: "Trend average", unit: "days", default: 100 },
    { name: "ratio", title: "Greatest volatility", unit: "multiples of its average", default: 1 },
    { name: "days", title: "Volatility lookback", unit: "days", default: 20 },
    { name: "norm", title: "Average of the volatility", unit: "days", default: 100 },
  ],
  bounds: { trend: [1, 200], ratio: [0.1, 10], days: [2, 60], norm: [1, 140] },
  steps: { trend: 20, ratio: 0.1 },
  references: [
    "A. Moreira, T. Muir, Volatility-Managed Portfolios, Journal of Finance 72(4), 2017",
    "M. T. Faber, A Quantitative Approach to Tactical Asset Allocation, Journal of Wealth Management 9(4), 2007",
  ],
  rules(market, { trend, ratio, days, norm }, flags) {
    const { close } = market.bars;
    const average = market.sma(trend);
    const volatility = market.volatility(days);
    const normal = market.averageVolatility(days, norm);
    for (let row = firstNumberRow(average, normal); row < flags.length; row++) {
      const limit = ratio * normal[row]!;
      const isCalm = above(limit, volatility[row]!);
      const isRising = above(close[row]!, average[row]!);
      if (isCalm && isRising) flags[row] = ENTER;
      else if (above(average[row]!, close[row]!) || above(volatility[row]!, limit))
        flags[row] = EXIT;
    }
  },
});
