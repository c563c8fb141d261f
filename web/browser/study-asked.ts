import type { StrategyTemplate } from "../../api/strategies.ts";
import type { Template } from "../../quant/strategies/template.ts";
import { parameterGrid, typedValues, type Values } from "../../quant/studies/parameter-grid.ts";

/** The values of the form, as they are typed and as the address keeps them. */
export interface StudyInputs {
  readonly coin: string;
  /** Empty for the first day with 200 days of history before it. */
  readonly start: string;
  /** Empty for the coin's last day. */
  readonly end: string;
  readonly fee: string;
  readonly slippage: string;
  /** Sets tried elsewhere. */
  readonly elsewhere: string;
  readonly folds: string;
  /** By parameter: "5, 10, 20" or "50..200:10". */
  readonly values: Readonly<Record<string, string>>;
}

/** The server and the command run more. */
const BROWSER_SETS_MAX = 500;

const FIXED = ["coin", "start", "end", "fee", "slippage", "elsewhere", "folds"] as const;

/** The values of the 13 published variants. */
export function firstInputs({ parameters, variants }: StrategyTemplate, coin: string): StudyInputs {
  const values = parameters.map(({ name }) => {
    const each = [...new Set(variants.map(({ params }) => params[name]!))]; // every variant has all
    return [name, each.sort((a, b) => a - b).join(", ")];
  });
  return {
    coin,
    start: "",
    end: "",
    fee: "0.1",
    slippage: "0.05",
    elsewhere: "0",
    folds: "6",
    values: Object.fromEntries(values) as Record<string, string>,
  };
}

/** The query of a link that fills the form. */
export function inputsQuery(inputs: StudyInputs): string {
  const pairs = FIXED.map((name) => [name, inputs[name]] as const);
  const values = Object.entries(inputs.values).map(([name, text]) => [`p.${name}`, text] as const);
  return `?${new URLSearchParams([...pairs, ...values].map((pair) => [...pair])).toString()}`;
}

/** The inputs of such a link, with the given ones where it has none. */
export function inputsOf(query: string, first: StudyInputs): StudyInputs {
  const given = new URLSearchParams(query);
  const fixed = FIXED.map((name) => [name, given.get(name) ?? first[name]]);
  const values = Object.entries(first.values).map(([name, text]) => [
    name,
    given.get(`p.${name}`) ?? text,
  ]);
  return {
    ...(Object.fromEntries(fixed) as Record<(typeof FIXED)[number], string>),
    values: Object.fromEntries(values) as Record<string, string>,
  };
}

/** How many legal sets the inputs make, and how many are left out; or what is wrong with them. */
export function countSets(
  { name, parameters, order }: StrategyTemplate,
  inputs: StudyInputs,
):
  | { readonly sets: number; readonly illegal: number; readonly values: Record<string, Values> }
  | { readonly fault: string } {
  try {
    const pairs = parameters.map((each) => [
      each.name,
      typedValues(each.name, inputs.values[each.name] ?? ""),
    ]);
    const values = Object.fromEntries(pairs) as Record<string, Values>;
    const pairsOf = order.map(({ lower, upper }) => [lower, upper] as const);
    const rule = { name, parameters, order: pairsOf } as unknown as Template; // all that a grid needs
    const { sets, illegal } = parameterGrid(rule, values);
    if (sets.length > BROWSER_SETS_MAX)
      throw new RangeError(
        `at most ${BROWSER_SETS_MAX} sets run here, got ${sets.length}; hindsight study and POST /studies take 2,000`,
      );
    return { sets: sets.length, illegal, values };
  } catch (error) {
    if (error instanceof RangeError) return { fault: error.message };
    throw error;
  }
}
