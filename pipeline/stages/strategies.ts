import { STRATEGIES, VARIANTS } from "../../snapshots/tables/strategies.ts";
import { strategiesBlock, variantsBlock } from "../../snapshots/tables/strategies.ts";
import type { Stage } from "./stage.ts";

/** The catalogue of templates and their variants. */
export const strategies: Stage = {
  name: "strategies",
  async run() {
    return new Map([
      [STRATEGIES, [strategiesBlock()]],
      [VARIANTS, [variantsBlock()]],
    ]);
  },
};
