import { z } from "zod";
import { dayOfDate } from "../../quant/calendar.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery } from "../http/query.ts";
import { quoted } from "../http/quoted.ts";
import { quickQueryOf, withQuickReader, type QuickQuery } from "./quick-query.ts";

/**
 * Query parameters. One zod schema validates the text a caller sent and describes the parameter in the OpenAPI document;
 * `allowed` finishes the sentence "must be ..." of an error message.
 */
const ALLOWED = z.registry<{ allowed: string }>();

/** Plain decimals, with an exponent if need be, as JSON has them. Not "", " 1", "+1", "1.", ".5", "0x10", "NaN", "Infinity". */
const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/;

/** So many digits are a number without rounding, and a small one. */
const SHORT_DIGITS = 9;

interface Description {
  readonly allowed: string;
  readonly description: string;
  readonly example: string | number;
}

/** Gives a schema its words. Whatever fails inside it, the message says what is allowed as a whole. */
export function described<Schema extends z.ZodType>(schema: Schema, words: Description): Schema {
  const { allowed, description, example } = words;
  const worded = schema.meta({ description, examples: [example] });
  ALLOWED.add(worded, { allowed });
  return worded;
}

/** A number above one and at most another, from text that is strictly decimal. */
export function decimal(above: number, most: number, words: Description) {
  const text = z.string().regex(DECIMAL).transform(Number);
  const schema = text.pipe(z.number().gt(above).max(most));
  return withQuickReader(described(schema, words), (sent) => {
    const value = wholeNumberOf(sent) ?? (DECIMAL.test(sent) ? Number(sent) : NaN);
    return value > above && value <= most ? value : undefined;
  });
}

/** What a few digits spell, as most amounts are sent; the platform's own way takes five times as long. */
function wholeNumberOf(text: string): number | undefined {
  if (text === "" || text.length > SHORT_DIGITS) return undefined;
  let value = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    value = 10 * value + digit;
  }
  return value;
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  words: Omit<Description, "allowed">,
) {
  const allowed = values.map((value) => `"${value}"`).join(" or ");
  return withQuickReader(described(z.enum(values), { ...words, allowed }), (sent) =>
    values.find((value) => value === sent),
  );
}

/** A calendar date. That it exists is checked here, that a coin has it where the coin is known. */
export function date(words: Omit<Description, "allowed">) {
  const real = z
    .string()
    .refine((text) => dayOfDate(text) !== undefined)
    .meta({ format: "date" });
  return withQuickReader(described(real, { ...words, allowed: "a date as YYYY-MM-DD" }), (sent) =>
    dayOfDate(sent) === undefined ? undefined : sent,
  );
}

/**
 * Any text: whether it is on the board is checked against the snapshot, which also offers the nearest tickers.
 */
export function coin(description: string) {
  const ticker = described(z.string().min(1), {
    allowed: 'a lower-case ticker such as "btc"',
    description,
    example: "btc",
  });
  return withQuickReader(ticker, (sent) => (sent === "" ? undefined : sent));
}

/** Of a path that takes none in its query. */
export const NO_PARAMETERS = z.strictObject({});

const quickQueries = new WeakMap<z.ZodObject, QuickQuery>();

/** Parameters of a query string, valid by the schema and with its defaults filled in. */
export function readQuery<Query extends z.ZodObject>(
  schema: Query,
  query: string,
): z.output<Query> {
  let quick = quickQueries.get(schema);
  if (quick === undefined) {
    quick = quickQueryOf(schema);
    quickQueries.set(schema, quick);
  }
  const values = quick(query);
  if (values !== undefined) return values as z.output<Query>; // as the schema would have it: a test says so
  return readBySchema(schema, query);
}

/** What `readQuery` says, the long way: every query that is not plain and valid goes it. */
export function readBySchema<Query extends z.ZodObject>(
  schema: Query,
  query: string,
): z.output<Query> {
  const sent = parseQuery(query);
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw firstFault(schema, { noun: "parameter", sent }, result.error.issues);
}

/** What a caller gave by name, and what one of them is called in a message. */
export interface Given {
  readonly noun: "parameter" | "member";
  readonly sent: Readonly<Record<string, unknown>>;
}

/** One fault at a time. A name nobody knows comes first: it is often the reason that another is missing. */
export function firstFault(
  schema: z.ZodObject,
  { noun, sent }: Given,
  issues: readonly z.core.$ZodIssue[],
): DomainError {
  const names = Object.keys(schema.shape);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const unknown = quoted(issue.keys[0] ?? "");
    const allowed = names.length === 0 ? `no ${noun}s` : names.map((n) => `"${n}"`).join(", ");
    return new DomainError("invalid_parameter", `unknown ${noun} ${unknown}; allowed: ${allowed}`);
  }
  const name = String(issues[0]?.path[0]);
  const allowed = allowedOf(schema.shape[name]);
  const value = sent[name];
  if (value === undefined) {
    return new DomainError("missing_parameter", `${noun} "${name}" is required: ${allowed}`);
  }
  return new DomainError(
    "invalid_parameter",
    `${noun} "${name}" must be ${allowed}, got ${shown(value)}`,
  );
}

/** A value as the caller wrote it, but for what holds others: that may be nested more deeply than can be written. */
function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "an array";
  // JSON has no infinity: the caller wrote digits that are read as one.
  if (value === Infinity || value === -Infinity) return "a number beyond float64";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function allowedOf(schema: unknown): string {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  return (inner instanceof z.ZodType && ALLOWED.get(inner)?.allowed) || "valid";
}
