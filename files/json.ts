import { FileRefused } from "./refused.ts";
import { shortened } from "./numbers.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/**
 * Reads JSON in which NaN, Infinity and -Infinity may stand as literals, as Python writes them. They become null, but not
 * within strings.
 */
export function parseJson(text: string, where = "the file"): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // It may hold Python's literals.
  }
  try {
    return JSON.parse(withoutLiterals(text)) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new FileRefused(`${where} is not complete JSON: ${shortened(error.message)}`);
  }
}

const LITERAL = /-?\b(?:NaN|Infinity)\b/g;

/** No pattern finds the strings, because it would search on from every quote within one that never ends. */
function withoutLiterals(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const outside = quote < 0 ? text.slice(at) : text.slice(at, quote);
    parts.push(outside.replace(LITERAL, "null"));
    if (quote < 0) break;
    at = stringEnd(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join("");
}

/** The position after the string that begins at `from`, which ends at the next quote that is not escaped. */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text[before - 1] === "\\") before--;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** One JSON value a line. */
export function parseJsonLines(text: string): Json[] {
  return text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [parseJson(line, `line ${index + 1}`)]));
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member by its name in any case, since LEAN has written both `Charts` and `charts`. */
export function member(value: Json | undefined, name: string): Json | undefined {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  const found = Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : value[found];
}

export function listMember(value: Json | undefined, name: string): readonly Json[] | undefined {
  const found = member(value, name);
  return Array.isArray(found) ? (found as readonly Json[]) : undefined;
}

/** A number, or one that is written as text. */
export function numberMember(value: Json | undefined, name: string): number | undefined {
  const found = member(value, name);
  const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function textMember(value: Json | undefined, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}
