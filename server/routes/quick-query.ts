import { z } from "zod";

/** What a parameter's text means; undefined if it is not valid or better left to the schema. */
export type QuickReader = (text: string) => unknown;

const readers = new WeakMap<z.ZodType, QuickReader>();

/**
 * Declares how to read a parameter without its schema. Wherever it gives a value, it must agree with the
 * schema.
 */
export function withQuickReader<Schema extends z.ZodType>(
  schema: Schema,
  reader: QuickReader,
): Schema {
  readers.set(schema, reader);
  return schema;
}

/** A query string's parameters, or undefined if the schema must be asked. */
export type QuickQuery = (query: string) => Record<string, unknown> | undefined;

/**
 * Reads queries of a schema whose parameters all have a quick reader. Nearly every query is plain: each name
 * once and nothing encoded. Any other query, valid or not, is left to the schema, which also words the fault.
 * Asking the schema costs ten times as much.
 */
export function quickQueryOf(schema: z.ZodObject): QuickQuery {
  const parameters: Parameter[] = [];
  const defaults: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, shape] of Object.entries(schema.shape)) {
    const { reader, optional, preset } = partsOf(shape as z.ZodType);
    if (reader === undefined) return () => undefined;
    parameters.push({ name, start: `${name}=`, reader, bit: 1 << parameters.length });
    defaults[name] = preset;
    if (!optional) required.push(name);
  }
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

interface Parameter {
  readonly name: string;
  /** The name and the "=" after it. */
  readonly start: string;
  readonly reader: QuickReader;
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

interface Parts {
  readonly reader: QuickReader | undefined;
  readonly optional: boolean;
  /** The value of a parameter that is not there. */
  readonly preset: unknown;
}

function partsOf(schema: z.ZodType): Parts {
  if (schema instanceof z.ZodDefault) {
    const inner = schema.unwrap() as z.ZodType;
    return { reader: readers.get(inner), optional: true, preset: schema.parse(undefined) };
  }
  if (schema instanceof z.ZodOptional) {
    const inner = schema.unwrap() as z.ZodType;
    return { reader: readers.get(inner), optional: true, preset: undefined };
  }
  return { reader: readers.get(schema), optional: false, preset: undefined };
}
