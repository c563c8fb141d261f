import { markSides } from "./mark.ts";
import { template } from "./template.ts";

export const parabolicSarFollow = template({
  name: "parabolic_sar",
  title: "Parabolic SAR",
  family: "trend",
  description: "Long while the close stands above Wilder's parabolic stop-and-reverse.",
  entryRule:
    "The close is above the day's parabolic SAR, whose acceleration factor starts at `acceleration`, grows by it with every new extreme and stops at `maximum`.",
  exitRule: "The close is below the day's parabolic SAR.",
  parameters: [
    { name: "acceleration", title: "Acceleration step", unit: "fraction", default: 0.02 },
    { name: "maximum", title: "Greatest acceleration", unit: "fraction", default: 0.2 },
  ],
  bounds: { acceleration: [0.001, 0.99], maximum: [0.002, 1] },
  order: [["acceleration", "maximum"]],
  steps: { acceleration: 0.005, maximum: 0.05 },
  references: [
    "J. W. Wilder, New Concepts in Technical Trading Systems (1978)",
    "TA-Lib SAR: on the day of a reversal, the SAR of the new side",
  ],
  rules(market, { acceleration, maximum }, flags) {
    markSides(market.bars.close, market.parabolicSar(acceleration, maximum), flags);
  },
});
