import { z } from "zod";
import { dayOfDate } from "../../quant/calendar.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery } from "../http/url.ts";
import { quoted } from "../http/quoted.ts";

/** What completes the sentence "must be ..." of an error message, by the schema of a parameter. */
const ALLOWED = z.registry<{ allowed: string }>();

/** Plain decimals as in JSON: not "", " 1", "+1", "1.", ".5", "0x10", "NaN", "Infinity". */
const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?([eE][+-]?\d{1,3})?$/;

interface Description {
  readonly allowed: string;
  readonly description: string;
  readonly example: string | number;
}

/** Gives a schema its description. Whatever fails inside it, the message says what is allowed as a whole. */
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

/** A list of names, separated by commas. Which of them exist is checked by the endpoint, which names the nearest. */
export function namesOf(names: readonly string[], words: Description) {
  const list = z
    .string()
    .min(1)
    .transform((text) => text.split(","))
    .pipe(z.array(z.string()))
    .meta({ items: { type: "string", enum: [...names] }, explode: false });
  return described(list, words);
}

/** A calendar date that exists. Whether a coin has it is checked once the coin is known. */
export function date(words: Omit<Description, "allowed">) {
  const real = z
    .string()
    .refine((text) => dayOfDate(text) !== undefined)
    .meta({ format: "date" });
  return described(real, { ...words, allowed: "a calendar date as YYYY-MM-DD" });
}

/** Any text but an empty one. */
export function text(words: Description) {
  return described(z.string().min(1), words);
}

/** Texts, one each time that the parameter is given. */
export function texts(words: Description) {
  return described(z.array(z.string().min(1)), words);
}

/** Any text. Whether it is on the board is checked against the snapshot. */
export function coin(description: string) {
  return text({ allowed: 'a lower-case ticker such as "btc"', description, example: "btc" });
}

/** For a path that takes no query parameters. */
export const NO_PARAMETERS = z.strictObject({});

/** The parameters of a query string, valid by the schema and with defaults filled in. */
export function readQuery<Query extends z.ZodObject>(
  schema: Query,
  query: string,
): z.output<Query> {
  const sent = parseQuery(query, repeatableOf(schema));
  const result = schema.safeParse(sent);
  if (result.success) return result.data;
  throw firstFault(schema, { noun: "parameter", sent }, result.error.issues);
}

/** Names of the parameters that are lists. */
export function repeatableOf(schema: z.ZodObject): ReadonlySet<string> {
  const names = Object.keys(schema.shape).filter(
    (name) => unwrapped(schema.shape[name]) instanceof z.ZodArray,
  );
  return new Set(names);
}

/** What a caller sent by name, and what messages call one of them. */
export interface Given {
  readonly noun: "parameter" | "member";
  readonly sent: Readonly<Record<string, unknown>>;
}

/**
 * Reports one fault at a time. An unknown name comes first, because it often explains why another is missing.
 */
export function firstFault(
  schema: z.ZodObject,
  given: Given,
  issues: readonly z.core.$ZodIssue[],
): DomainError {
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") return unknownName(schema, given, issue.keys[0] ?? "");
  }
  return faultOf(schema, given, String(issues[0]?.path[0]));
}

function unknownName(schema: z.ZodObject, { noun }: Given, name: string): DomainError {
  const names = Object.keys(schema.shape).map((known) => `"${known}"`);
  const allowed = names.length === 0 ? `no ${noun}s` : names.join(", ");
  const message = `unknown ${noun} ${quoted(name)}; allowed: ${allowed}`;
  return new DomainError("invalid_parameter", message);
}

/** What is wrong with a value, or that it is missing. */
function faultOf(schema: z.ZodObject, { noun, sent }: Given, name: string): DomainError {
  const allowed = allowedOf(schema.shape[name]);
  const value = sent[name];
  if (value === undefined) {
    return new DomainError("missing_parameter", `${noun} "${name}" is required: ${allowed}`);
  }
  // null is not taken for "not given": it is what JSON has in place of NaN, and a default would hide that.
  const advice =
    value === null && isOptional(schema.shape[name]) ? "; to give none, leave it out" : "";
  const message = `${noun} "${name}" must be ${allowed}, got ${shown(value)}${advice}`;
  return new DomainError("invalid_parameter", message);
}

/** A value as the caller wrote it; not an object or list, which may be nested too deeply. */
function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return "an array";
  // JSON has no infinity: the caller wrote digits that parse as one.
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
