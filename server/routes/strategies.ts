import { z } from "zod";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Template as CatalogueTemplate } from "../../quant/strategies/template.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { readEndpoint } from "./endpoint.ts";
import { NO_PARAMETERS } from "./parameters.ts";

const Template = z
  .strictObject({
    name: z.string().describe("the name to give as `strategy` or `template`"),
    title: z.string(),
    family: z.enum(["trend", "momentum", "mean_reversion", "breakout", "volatility"]),
    description: z.string(),
    entry_rule: z.string().describe("when it buys, in plain words"),
    exit_rule: z.string().describe("when it sells"),
    parameters: z
      .array(
        z
          .strictObject({
            name: z.string(),
            title: z.string(),
            unit: z.string(),
            default: z.number(),
          })
          .meta({ id: "StrategyParameter" }),
      )
      .describe("the numbers the rules name"),
    variants: z
      .array(
        z
          .strictObject({
            variant: z.int().min(1).max(13),
            params: z.record(z.string(), z.number()).describe("a number for each parameter"),
          })
          .meta({ id: "StrategyVariant" }),
      )
      .describe("the 13 parameter sets; variant 1 is the default"),
    references: z.array(z.string()).describe("where the rule comes from"),
  })
  .meta({ id: "StrategyTemplate" });

/** GET /strategies */
export const strategies = readEndpoint({
  path: "/strategies",
  operationId: "getStrategies",
  tag: "Backtests",
  summary: "The catalogue of strategy templates",
  description: `${CATALOGUE.length} long-or-flat rules, each with its entry and exit in plain words, named parameters, 13 variants and references.`,
  query: NO_PARAMETERS,
  data: z.strictObject({ attribution: Attribution, templates: z.array(Template) }),
  examples: { "the whole catalogue": {} },
  resolve: () => ({}),
  answer: (snapshot) => ({
    attribution: attributionOf(snapshot),
    templates: CATALOGUE.map(templateOf),
  }),
});

function templateOf(template: CatalogueTemplate): z.output<typeof Template> {
  return {
    name: template.name,
    title: template.title,
    family: template.family,
    description: template.description,
    entry_rule: template.entryRule,
    exit_rule: template.exitRule,
    parameters: [...template.parameters],
    variants: template.variants.map((params, index) => ({ variant: index + 1, params })),
    references: [...template.references],
  };
}
