import { z } from "zod";

/** What a parameter's text means; undefined where it is not valid, or better left to the schema to say. */
export type QuickReader = (text: string) => unknown;

const readers = new WeakMap<z.ZodType, QuickReader>();

/** Says how to read a parameter without its schema. It must agree with the schema wherever it gives a value. */
export function withQuickReader<Schema extends z.ZodType>(
  schema: Schema,
  reader: QuickReader,
): Schema {
  readers.set(schema, reader);
  return schema;
}

/** A query string's parameters, or undefined: then the schema must be asked. */
export type QuickQuery = (query: string) => Record<string, unknown> | undefined;

/**
 * Reads queries of a schema whose parameters all have a quick reader, as nearly every query is: names once each and
 * nothing encoded. What is not so, or not valid, is left to the schema, which also words the fault. Asking the
 * schema costs ten times as much.
 */
export function quickQueryOf(schema: z.ZodObject): QuickQuery {
  const parameters = new Map<string, { readonly reader: QuickReader; readonly bit: number }>();
  const defaults: Record<string, unknown> = {};
  const required: string[] = [];
  for (const [name, shape] of Object.entries(schema.shape)) {
    const { reader, optional, preset } = partsOf(shape as z.ZodType);
    if (reader === undefined) return () => undefined;
    parameters.set(name, { reader, bit: 1 << parameters.size });
    defaults[name] = preset;
    if (!optional) required.push(name);
  }
  return (query) => {
    if (query.includes("%") || query.includes("+")) return undefined;
    const values = { ...defaults };
    let read = 0;
    for (let start = 0; start < query.length;) {
      const ampersand = query.indexOf("&", start);
      const end = ampersand < 0 ? query.length : ampersand;
      const equals = query.indexOf("=", start);
      if (equals < 0 || equals > end) return undefined;
      const name = query.slice(start, equals);
      const parameter = parameters.get(name);
      if (parameter === undefined || (read & parameter.bit) !== 0) return undefined;
      const value = parameter.reader(query.slice(equals + 1, end));
      if (value === undefined) return undefined;
      read |= parameter.bit;
      values[name] = value;
      start = end + 1;
    }
    for (const name of required) if (values[name] === undefined) return undefined;
    return values;
  };
}

interface Parts {
  readonly reader: QuickReader | undefined;
  readonly optional: boolean;
  /** What stands for a parameter that is not there. */
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
