import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Params, Template } from "../../quant/strategies/template.ts";
import { columnsOf, integer, json, listed, rowsOf, text } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

const TEMPLATE_COLUMNS = columnsOf<Template>()({
  template: text("name used in requests", "name"),
  title: text("name for people"),
  family: text("trend, momentum, mean_reversion, breakout or volatility"),
  description: text("what it trades on"),
  entry_rule: text("when it buys, in plain words"),
  exit_rule: text("when it sells, in plain words"),
  parameters: json(
    "list of {name, title, unit, default, min, max, integer}",
    ({ parameters }: Template) => JSON.stringify(parameters),
  ),
  references: json("list of published sources", ({ references }: Template) =>
    JSON.stringify(references),
  ),
});

export const STRATEGIES: Table = {
  name: "strategies",
  description: "The catalogue of strategy templates, one row each.",
  key: ["template"],
  arrow: false,
  columns: listed(TEMPLATE_COLUMNS),
};

export function strategiesBlock(): TableBlock {
  return rowsOf(TEMPLATE_COLUMNS, CATALOGUE);
}

interface Variant {
  readonly template: string;
  readonly variant: number;
  readonly params: Params;
}

const VARIANT_COLUMNS = columnsOf<Variant>()({
  template: text("name of the template"),
  variant: integer("1 to 13"),
  params: json("parameter values by name", ({ params }) => JSON.stringify(params)),
});

export const VARIANTS: Table = {
  name: "variants",
  description: "The 13 parameter sets of every template, one row each; variant 1 is the default.",
  key: ["template", "variant"],
  arrow: false,
  columns: listed(VARIANT_COLUMNS),
};

export function variantsBlock(): TableBlock {
  const variants = CATALOGUE.flatMap(({ name, variants }) =>
    variants.map((params, index) => ({ template: name, variant: index + 1, params })),
  );
  return rowsOf(VARIANT_COLUMNS, variants);
}
