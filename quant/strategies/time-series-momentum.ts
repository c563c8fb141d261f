import { markSides } from "./mark.ts";
import { template } from "./template.ts";

export const timeSeriesMomentum = template({
  name: "time_series_momentum",
  title: "Time-series momentum",
  family: "momentum",
  description: "Long while the coin has gained over the lookback: the sign of its own past return.",
  entryRule: "The close is above the close `lookback` days before.",
  exitRule: "The close is below the close `lookback` days before.",
  parameters: [{ name: "lookback", title: "Lookback", unit: "days", default: 90 }],
  bounds: { lookback: [1, 199] },
  steps: { lookback: 10 },
  references: [
    "T. J. Moskowitz, Y. H. Ooi, L. H. Pedersen, Time Series Momentum, Journal of Financial Economics 104(2), 2012: lookbacks of 1 to 48 months, here three",
    "Y. Liu, A. Tsyvinski, Risks and Returns of Cryptocurrency, Review of Financial Studies 34(6), 2021",
  ],
  rules(market, { lookback }, flags) {
    const { close } = market.bars;
    markSides(close.subarray(lookback), close, flags.subarray(lookback));
  },
});
