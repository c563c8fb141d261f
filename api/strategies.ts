import type { Parameter, Params, Template } from "../quant/strategies/template.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { flag, intBetween, list, number, numbersByName, oneOf, text, texts } from "./members.ts";
import { columnsOf, type Column, type Table } from "./table.ts";
import { record, type Json } from "./record.ts";

const VARIANTS = 13;

const StrategyParameter = record<Parameter>({ id: "StrategyParameter" })({
  name: text(),
  title: text(),
  unit: text(),
  default: number(),
  min: number("least value of a backtest or a study"),
  max: number("greatest value"),
  integer: flag("whether it must be a whole number"),
});

const ParameterOrder = record<Template["order"][number]>()({
  lower: text("the parameter that must be below", ([lower]) => lower),
  upper: text("the other", ([, upper]) => upper),
});

type Variant = readonly [index: number, params: Params];

const StrategyVariant = record<Variant>({ id: "StrategyVariant" })({
  variant: intBetween(1, VARIANTS)("", ([index]) => index + 1),
  params: numbersByName("a number for each parameter", ([, params]) => params),
});

const StrategyTemplate = record<Template>({ id: "StrategyTemplate" })({
  name: text("the name to give as `strategy` or `template`"),
  title: text(),
  family: oneOf(["trend", "momentum", "mean_reversion", "breakout", "volatility"])(),
  description: text(),
  entry_rule: text("when it buys, in plain words"),
  exit_rule: text("when it sells"),
  parameters: list(StrategyParameter)("the numbers the rules name"),
  order: list(ParameterOrder)("pairs that a set must keep"),
  variants: list(StrategyVariant)(
    "the 13 parameter sets; variant 1 is the default",
    ({ variants }) => [...variants.entries()],
  ),
  references: texts("where the rule comes from"),
});

/** `GET /strategies` */
export const Strategies = record<Attributed & { readonly templates: readonly Template[] }>()({
  attribution,
  templates: list(StrategyTemplate)(),
});

export type StrategyTemplate = Json<typeof StrategyTemplate>;

/** The table of every variant of every template. */
export function variantsTable(templates: readonly StrategyTemplate[]): Table {
  type Row = { readonly template: StrategyTemplate; readonly variant: object };
  const rows = templates.flatMap((template) =>
    template.variants.map((variant): Row => ({ template, variant })),
  );
  const columns: Column<Row>[] = [
    { name: "template", field: "templates.name", cell: ({ template }) => template.name },
    { name: "family", field: "templates.family", cell: ({ template }) => template.family },
    ...columnsOf(StrategyVariant, {
      name: "",
      field: "templates.variants",
      cell: ({ variant }: Row) => variant,
    }),
  ];
  return { columns, rows };
}
