import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Params, Template } from "../../quant/strategies/template.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import type { Table, TableBlock } from "./table.ts";

const TEMPLATE_COLUMNS: readonly ComputedColumn<Template>[] = [
  computed(["template", "text"], "name used in requests", ({ name }) => name),
  computed(["title", "text"], "name for people", ({ title }) => title),
  computed(
    ["family", "text"],
    "trend, momentum, mean_reversion, breakout or volatility",
    ({ family }) => family,
  ),
  computed(["description", "text"], "what it trades on", ({ description }) => description),
  computed(["entry_rule", "text"], "when it buys, in plain words", ({ entryRule }) => entryRule),
  computed(["exit_rule", "text"], "when it sells, in plain words", ({ exitRule }) => exitRule),
  computed(
    ["parameters", "text", "json"],
    "list of {name, title, unit, default, min, max, integer}",
    ({ parameters }) => JSON.stringify(parameters),
  ),
  computed(["references", "text", "json"], "list of published sources", ({ references }) =>
    JSON.stringify(references),
  ),
];

export const STRATEGIES: Table = {
  name: "strategies",
  description: "The catalogue of strategy templates, one row each.",
  key: ["template"],
  arrow: false,
  columns: definitionsOf(TEMPLATE_COLUMNS),
};

export function strategiesBlock(): TableBlock {
  return { rows: CATALOGUE.length, columns: rowsOf(TEMPLATE_COLUMNS, CATALOGUE) };
}

interface Variant {
  readonly template: string;
  readonly variant: number;
  readonly params: Params;
}

const VARIANT_COLUMNS: readonly ComputedColumn<Variant>[] = [
  computed(["template", "text"], "name of the template", ({ template }) => template),
  computed(["variant", "integer"], "1 to 13", ({ variant }) => variant),
  computed(["params", "text", "json"], "parameter values by name", ({ params }) =>
    JSON.stringify(params),
  ),
];

export const VARIANTS: Table = {
  name: "variants",
  description: "The 13 parameter sets of every template, one row each; variant 1 is the default.",
  key: ["template", "variant"],
  arrow: false,
  columns: definitionsOf(VARIANT_COLUMNS),
};

export function variantsBlock(): TableBlock {
  const variants = CATALOGUE.flatMap(({ name, variants }) =>
    variants.map((params, index) => ({ template: name, variant: index + 1, params })),
  );
  return { rows: variants.length, columns: rowsOf(VARIANT_COLUMNS, variants) };
}
