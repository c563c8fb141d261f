import { z } from "zod";
import { dayOfDate } from "../../quant/calendar.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery } from "../http/url.ts";
import { quoted } from "../http/quoted.ts";
import { nearestTo } from "./nearest.ts";

/** The words after "must be" in an error message, by the schema of a parameter. */
const ALLOWED = z.registry<{ allowed: string }>();

/** Plain decimals as in JSON: not "", " 1", "+1", "1.", ".5", "0x10", "NaN", "Infinity". */
const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/;

const TEMPLATE_NAMES = CATALOGUE.map(({ name }) => name);

interface Description {
  readonly allowed: string;
  readonly description: string;
  /** A value as the schema has it. */
  readonly example: unknown;
}

/** Gives a schema its description and its words for errors, which are the same whatever part of a value is wrong. */
export function described<Schema extends z.ZodType>(schema: Schema, words: Description): Schema {
  const { allowed, description, example } = words;
  const worded = schema.meta({ description, examples: [example] });
  ALLOWED.add(worded, { allowed });
  return worded;
}

const numberText = z.string().regex(DECIMAL).transform(Number);

/** A number greater than `above` and at most `most`, from strictly decimal text. */
export function decimal(
  above: number,
  most: number,
  words: Omit<Description, "allowed"> & { readonly allowed?: string },
) {
  const allowed = `a number above ${above}, at most ${most}`;
  return described(numberText.pipe(z.number().gt(above).max(most)), { allowed, ...words });
}

/** A number from `least` to `most`, both included, from strictly decimal text. */
export function decimalFrom(least: number, most: number, words: Omit<Description, "allowed">) {
  const allowed = `a number from ${least} to ${most}`;
  return described(numberText.pipe(z.number().min(least).max(most)), { allowed, ...words });
}

/** A whole number, from strictly decimal text. */
export function integer(least: number, most: number, words: Omit<Description, "allowed">) {
  const allowed = `a whole number from ${least} to ${most}`;
  return described(numberText.pipe(z.int().min(least).max(most)), { ...words, allowed });
}

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  words: Omit<Description, "allowed">,
) {
  const allowed = values.map((value) => `"${value}"`).join(" or ");
  return described(z.enum(values), { ...words, allowed });
}

/** A list of names, separated by commas. The endpoint checks whether they exist and suggests the nearest. */
export function namesOf(names: readonly string[], words: Description) {
  const list = z
    .string()
    .min(1)
    .transform((text) => text.split(","))
    .pipe(z.array(z.string()))
    .meta({ items: { type: "string", enum: [...names] }, explode: false });
  return described(list, words);
}

/** A date of the calendar. The endpoint checks whether a coin has it. */
export function date(words: Omit<Description, "allowed">) {
  const real = z
    .string()
    .refine((text) => dayOfDate(text) !== undefined)
    .meta({ format: "date" });
  return described(real, { ...words, allowed: "a calendar date as YYYY-MM-DD" });
}

/** Gives a schema of values within an object its words for errors. */
export function worded<Schema extends z.ZodType>(schema: Schema, allowed: string): Schema {
  ALLOWED.add(schema, { allowed });
  return schema;
}

/** The name of a template of this version. The endpoint suggests the nearest to another. */
export function template(description: string) {
  const name = z.string().min(1).meta({ enum: TEMPLATE_NAMES });
  const allowed = 'the name of a template such as "ma_cross"';
  return described(name, { allowed, description, example: "ma_cross" });
}

/** Any text but an empty one. */
export function text(words: Description) {
  return described(z.string().min(1), words);
}

/** A parameter that may be repeated: a list of texts. */
export function texts(words: Description) {
  return described(z.array(z.string().min(1)), words);
}

/** A ticker. The endpoint checks whether it is on the board. */
export function coin(description: string) {
  return text({ allowed: 'a lower-case ticker such as "btc"', description, example: "btc" });
}

/** For a path that takes no query parameters. */
export const NO_PARAMETERS = z.strictObject({});

/** The parameters of a query string, valid by the schema and with defaults filled in. Throws DomainError. */
export function readQuery<Query extends z.ZodObject>(
  schema: Query,
  query: string,
): z.output<Query> {
  const sent = underOwnNames(schema, "parameter", parseQuery(query, repeatableOf(schema)));
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw firstFault(schema, { noun: "parameter", sent }, result.error.issues);
}

/** The other name of a date that bounds a range: every endpoint with one takes both. */
export const OTHER_NAME: Readonly<Record<string, string>> = {
  from: "start_date",
  to: "end_date",
  start_date: "from",
  end_date: "to",
};

/** What was sent, by the schema's own names. Throws DomainError where both names of a date are there with other values. */
export function underOwnNames(
  schema: z.ZodObject,
  noun: Given["noun"],
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const own = { ...sent };
  for (const [name, other] of Object.entries(OTHER_NAME)) {
    if (!Object.hasOwn(schema.shape, name) || !Object.hasOwn(own, other)) continue;
    if (Object.hasOwn(own, name) && own[name] !== own[other]) {
      const message = `${noun}s "${name}" and "${other}" mean the same: give one, got ${shown(own[name])} and ${shown(own[other])}`;
      throw new DomainError("invalid_parameter", message);
    }
    own[name] = own[other];
    delete own[other];
  }
  return own;
}

/** Names of the parameters that are lists. */
export function repeatableOf(schema: z.ZodObject): ReadonlySet<string> {
  const names = Object.keys(schema.shape).filter(
    (name) => unwrapped(schema.shape[name]) instanceof z.ZodArray,
  );
  return new Set(names);
}

/** What a caller sent, by name, and the word for one of them in messages. */
export interface Given {
  readonly noun: "parameter" | "member";
  readonly sent: Readonly<Record<string, unknown>>;
}

/** The error for the first fault. An unknown name comes first, because it often explains why another is missing. */
export function firstFault(
  schema: z.ZodObject,
  given: Given,
  issues: readonly z.core.$ZodIssue[],
): DomainError {
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") return unknownName(schema, given, issue.keys[0] ?? "");
  }
  const [name, within] = issues[0]?.path ?? [];
  return within === undefined
    ? faultOf(schema, given, String(name))
    : faultWithin(schema, given, [String(name), String(within)]);
}

/** The error for a value within an object, such as one parameter of a template. */
function faultWithin(
  schema: z.ZodObject,
  given: Given,
  [name, within]: readonly [string, string],
): DomainError {
  const values = given.sent[name] as Readonly<Record<string, unknown>>; // an issue within it was found
  const inner = unwrapped(schema.shape[name]);
  const allowed =
    inner instanceof z.ZodRecord ? ALLOWED.get(inner.valueType as z.ZodType) : undefined;
  if (allowed === undefined || Array.isArray(values)) return faultOf(schema, given, name);
  const value = values[within];
  const got = typeof value === "object" ? quoted(JSON.stringify(value)) : shown(value);
  const message = `${given.noun} "${name}": ${quoted(within)} must be ${allowed.allowed}, got ${got}`;
  return new DomainError("invalid_parameter", message);
}

function unknownName(schema: z.ZodObject, { noun }: Given, name: string): DomainError {
  const names = Object.keys(schema.shape);
  const [nearest] = nearestTo(name, names, 1);
  const allowed = names.map((known) => `"${known}"`).join(", ");
  const known = nearest === undefined ? `no ${noun}s` : `${allowed}; nearest: "${nearest}"`;
  const message = `unknown ${noun} ${quoted(name)}; allowed: ${known}`;
  return new DomainError("invalid_parameter", message);
}

/** The error for a value that is missing or not valid. */
function faultOf(schema: z.ZodObject, { noun, sent }: Given, name: string): DomainError {
  const allowed = allowedOf(schema.shape[name]);
  const value = sent[name];
  if (value === undefined) {
    return new DomainError("missing_parameter", `${noun} "${name}" is required: ${allowed}`);
  }
  // null does not mean "not given": JSON has null in place of NaN, and a default would hide that.
  const advice =
    value === null && isOptional(schema.shape[name]) ? "; to give none, leave it out" : "";
  const message = `${noun} "${name}" must be ${allowed}, got ${shown(value)}${advice}`;
  return new DomainError("invalid_parameter", message);
}

/** A value as the caller wrote it. Objects and lists, which may be nested deeply, are only named. */
function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "an array";
  // JSON has no infinity, but a number with too many digits becomes one.
  if (value === Infinity || value === -Infinity) return "a number beyond float64";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function isOptional(schema: unknown): boolean {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner;
}

function allowedOf(schema: unknown): string {
  const inner = unwrapped(schema);
  return (inner instanceof z.ZodType && ALLOWED.get(inner)?.allowed) || "valid";
}
