import type { Parameter, Params, Template } from "./template.ts";

/** What a parameter may be, in words. */
export function allowedOf({ min, max, integer }: Parameter): string {
  return `a ${integer ? "whole number" : "number"} from ${min} to ${max}`;
}

/** The template's parameter of that name. Throws RangeError if it has none. */
export function parameterOf(template: Template, name: string): Parameter {
  const found = template.parameters.find((parameter) => parameter.name === name);
  if (found !== undefined) return found;
  throw new RangeError(
    `"${name}" isn't a parameter of ${template.name}, which has ${legalValues(template)}`,
  );
}

/** The parameters of a template and what each may be: `fast (a whole number from 2 to 100), ...`. */
export function legalValues({ parameters }: Template): string {
  return parameters.map((each) => `${each.name} (${allowedOf(each)})`).join(", ");
}

/** A whole set of parameters in the template's order, with defaults for those that are not given. */
export function completed(template: Template, given: Params): Params {
  for (const name of Object.keys(given)) parameterOf(template, name);
  const values = template.parameters.map((each) => [each.name, given[each.name] ?? each.default]);
  return Object.fromEntries(values) as Params;
}

/** Why a set may not run, naming the parameter, its value and what is allowed; undefined if it may. */
export function refusedSet(template: Template, params: Params): string | undefined {
  for (const parameter of template.parameters) {
    const { name, min, max, integer } = parameter;
    const value = params[name] ?? NaN;
    const isLegal = value >= min && value <= max && (!integer || Number.isInteger(value));
    if (!isLegal) return `"${name}" must be ${allowedOf(parameter)}, got ${value}`;
  }
  for (const [lower, upper] of template.order) {
    const [low, high] = [params[lower]!, params[upper]!]; // both were checked above
    if (!(low < high)) return `"${lower}" must be below "${upper}", got ${low} and ${high}`;
  }
  return undefined;
}
