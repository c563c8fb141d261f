import { z } from "zod";

/** What a parameter's text means; undefined if it is not valid. */
export type ParameterReader = (text: string) => unknown;

const readers = new WeakMap<z.ZodType, ParameterReader>();

/** Declares how to read a parameter. It must agree with the schema, which is what the documentation shows. */
export function withReader<Schema extends z.ZodType>(
  schema: Schema,
  reader: ParameterReader,
): Schema {
  readers.set(schema, reader);
  return schema;
}

/** The parameters of a query's schema, in its order. */
export function parametersOf(schema: z.ZodObject): readonly Parameter[] {
  return Object.entries(schema.shape).map(([name, shape], index) => {
    const { inner, optional, preset } = partsOf(shape as z.ZodType);
    const reader = readers.get(inner);
    if (reader === undefined) throw new Error(`nothing reads the parameter "${name}"`);
    return { name, start: `${name}=`, reader, optional, preset, bit: 1 << index };
  });
}

/** The values of a query string's parameters, or undefined if it is not both plain and valid. */
export type QuickQuery = (query: string) => Record<string, unknown> | undefined;

/**
 * Reads queries in one pass. Nearly every query is plain: each name once and nothing encoded. Any other one costs
 * several times as much.
 */
export function quickQueryOf(parameters: readonly Parameter[]): QuickQuery {
  const defaults = Object.fromEntries(parameters.map(({ name, preset }) => [name, preset]));
  const required = parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  return (query) => {
    if (query.includes("%") || query.includes("+")) return undefined;
    const values = { ...defaults };
    let read = 0;
    let expected = 0;
    for (let at = 0; at < query.length;) {
      const index = parameterAt(query, at, parameters, expected);
      const parameter = parameters[index];
      if (parameter === undefined || (read & parameter.bit) !== 0) return undefined;
      const start = at + parameter.start.length;
      const ampersand = query.indexOf("&", start);
      const end = ampersand < 0 ? query.length : ampersand;
      const value = parameter.reader(query.slice(start, end));
      if (value === undefined) return undefined;
      read |= parameter.bit;
      values[parameter.name] = value;
      expected = index + 1;
      at = end + 1;
    }
    for (const name of required) if (values[name] === undefined) return undefined;
    return values;
  };
}

export interface Parameter {
  readonly name: string;
  /** The name and the "=" after it. */
  readonly start: string;
  readonly reader: ParameterReader;
  readonly optional: boolean;
  /** The value of a parameter that is not there. */
  readonly preset: unknown;
  readonly bit: number;
}

/** Index of the parameter at this place; -1 for none. Most queries have theirs in the order of the schema. */
function parameterAt(
  query: string,
  at: number,
  parameters: readonly Parameter[],
  expected: number,
): number {
  if (parameters[expected] !== undefined && query.startsWith(parameters[expected].start, at)) {
    return expected;
  }
  return parameters.findIndex(({ start }) => query.startsWith(start, at));
}

function partsOf(schema: z.ZodType) {
  if (schema instanceof z.ZodDefault) {
    return { inner: schema.unwrap() as z.ZodType, optional: true, preset: schema.parse(undefined) };
  }
  if (schema instanceof z.ZodOptional) {
    return { inner: schema.unwrap() as z.ZodType, optional: true, preset: undefined };
  }
  return { inner: schema, optional: false, preset: undefined };
}
