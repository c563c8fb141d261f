import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const donchianBreakout = template({
  name: "donchian_breakout",
  title: "Donchian breakout (turtle)",
  family: "breakout",
  description:
    "The turtle traders' first system, on closes: buys a new high of the entry channel, sells a new low of the shorter exit channel.",
  entryRule:
    "The close is above the highest high of the `entry` days before, the day itself not counted.",
  exitRule:
    "The close is below the lowest low of the `exit` days before, the day itself not counted.",
  parameters: [
    { name: "entry", title: "Entry channel", unit: "days", default: 20 },
    { name: "exit", title: "Exit channel", unit: "days", default: 10 },
  ],
  bounds: { entry: [1, 199], exit: [1, 199] },
  steps: { entry: 4, exit: 2 },
  references: [
    "C. M. Faith, Way of the Turtle (2007), System 1: 20 and 10 days",
    "TradingView, Donchian Channels; TA-Lib MAX and MIN",
  ],
  rules(market, params, flags) {
    const { close } = market.bars;
    const highest = market.highestHigh(params.entry);
    const lowest = market.lowestLow(params.exit);
    const first = Math.max(params.entry, params.exit); // the previous day's channels have values
    for (let row = first; row < flags.length; row++) {
      if (above(close[row]!, highest[row - 1]!)) flags[row] = ENTER;
      else if (above(lowest[row - 1]!, close[row]!)) flags[row] = EXIT;
    }
  },
});
