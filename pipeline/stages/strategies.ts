import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { STRATEGIES, VARIANTS } from "../../snapshots/tables/strategies.ts";
import type { Stage } from "./stage.ts";

/** The catalogue of templates and their variants. */
export const strategies: Stage = {
  name: "strategies",
  reads: [],
  writes: [STRATEGIES, VARIANTS],
  async run() {
    const variants = CATALOGUE.flatMap((template) =>
      template.variants.map((params, index) => ({ template, variant: index + 1, params })),
    );
    const templateBlock = {
      rows: CATALOGUE.length,
      columns: {
        template: CATALOGUE.map(({ name }) => name),
        title: CATALOGUE.map(({ title }) => title),
        family: CATALOGUE.map(({ family }) => family),
        description: CATALOGUE.map(({ description }) => description),
        entry_rule: CATALOGUE.map(({ entryRule }) => entryRule),
        exit_rule: CATALOGUE.map(({ exitRule }) => exitRule),
        parameters: CATALOGUE.map(({ parameters }) => JSON.stringify(parameters)),
        references: CATALOGUE.map(({ references }) => JSON.stringify(references)),
      },
    };
    const variantBlock = {
      rows: variants.length,
      columns: {
        template: variants.map(({ template }) => template.name),
        variant: variants.map(({ variant }) => variant),
        params: variants.map(({ params }) => JSON.stringify(params)),
      },
    };
    return new Map([
      [STRATEGIES, [templateBlock]],
      [VARIANTS, [variantBlock]],
    ]);
  },
};
