import type { Parameter, Params, Template } from "./template.ts";

/** What a parameter may be, in words. */
export function allowedOf({ min, max, integer }: Parameter): string {
  return `a ${integer ? "whole number" : "number"} from ${min} to ${max}`;
}

/** Why a value is not legal for a parameter; undefined if it is. */
function refusedValue(parameter: Parameter, value: number): string | undefined {
  const { name, min, max, integer } = parameter;
  const isLegal = value >= min && value <= max && (!integer || Number.isInteger(value));
  return isLegal ? undefined : `"${name}" must be ${allowedOf(parameter)}, got ${value}`;
}

/** The template's parameter of that name. Throws RangeError if it has none. */
export function parameterOf(template: Template, name: string): Parameter {
  const found = template.parameters.find((parameter) => parameter.name === name);
  if (found !== undefined) return found;
  const names = template.parameters.map((parameter) => parameter.name).join(", ");
  throw new RangeError(`"${name}" is no parameter of ${template.name}, which has ${names}`);
}

/** A whole set from some of its values: the others are the template's defaults, in the template's order. */
export function completed(template: Template, given: Params): Params {
  for (const name of Object.keys(given)) parameterOf(template, name);
  const values = template.parameters.map((each) => [each.name, given[each.name] ?? each.default]);
  return Object.fromEntries(values) as Params;
}

/** Why a set may not run, naming the parameter, its value and what is allowed; undefined if it may. */
export function refusedSet(template: Template, params: Params): string | undefined {
  for (const parameter of template.parameters) {
    const refused = refusedValue(parameter, params[parameter.name] ?? NaN);
    if (refused !== undefined) return refused;
  }
  for (const [lower, upper] of template.order) {
    const [low, high] = [params[lower]!, params[upper]!]; // both were checked above
    if (!(low < high)) return `"${lower}" must be below "${upper}", got ${low} and ${high}`;
  }
  return undefined;
}
