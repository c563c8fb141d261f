import { firstNumberRow } from "../indicators/column.ts";
import { above, ENTER, EXIT } from "./mark.ts";
import { template } from "./template.ts";

export const ichimokuCloud = template({
  name: "ichimoku",
  title: "Ichimoku",
  family: "trend",
  description:
    "Buys above the cloud with the conversion line above the base line, sells below the cloud. Hosoda's proportions are kept: leading span B looks back twice the base, and the cloud stands one base ahead.",
  entryRule:
    "The close is above both leading spans of `base` days before, and the conversion line (middle of the range of the last `conversion` days) is above the base line (of the last `base` days). Span A is the mean of conversion and base line; span B is the middle of the range of the last 2 x `base` days.",
  exitRule: "The close is below both leading spans of `base` days before.",
  parameters: [
    { name: "conversion", title: "Conversion line", unit: "days", default: 9 },
    { name: "base", title: "Base line", unit: "days", default: 26 },
  ],
  bounds: { conversion: [1, 65], base: [2, 66] },
  order: [["conversion", "base"]],
  steps: { conversion: 1, base: 4 },
  references: [
    "G. Hosoda, Ichimoku Kinko Hyo (1969); M. Patel, Trading with Ichimoku Clouds (2010)",
    "TradingView, Ichimoku Cloud (9, 26, 52); the spans are those of exactly `base` days before",
  ],
  rules(market, params, flags) {
    const { close } = market.bars;
    const shift = params.base;
    const conversion = market.rangeMiddle(params.conversion);
    const base = market.rangeMiddle(params.base);
    const spanB = market.rangeMiddle(2 * params.base);
    for (let row = firstNumberRow(conversion, base, spanB) + shift; row < flags.length; row++) {
      const lead1 = (conversion[row - shift]! + base[row - shift]!) / 2;
      const lead2 = spanB[row - shift]!;
      const isAbove = above(close[row]!, Math.max(lead1, lead2));
      if (isAbove && above(conversion[row]!, base[row]!)) flags[row] = ENTER;
      else if (above(Math.min(lead1, lead2), close[row]!)) flags[row] = EXIT;
    }
  },
});
