import { variantsTable, Strategies } from "../../api/strategies.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf } from "./snapshot-data.ts";
import { NO_PARAMETERS } from "./parameters.ts";

/** GET /strategies */
export const strategies = readEndpoint({
  path: "/strategies",
  operationId: "getStrategies",
  tag: "Backtests",
  summary: "The catalogue of strategy templates",
  description: `${CATALOGUE.length} long-or-flat rules, each with its entry and exit in plain words, named parameters, 13 variants and references.`,
  query: NO_PARAMETERS,
  data: Strategies,
  rows: ({ templates }) => variantsTable(templates),
  examples: { "the whole catalogue": {} },
  resolve: () => ({}),
  answer: (snapshot) => ({ origin: originOf(snapshot), templates: CATALOGUE }),
});
