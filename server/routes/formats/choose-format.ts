import { DomainError } from "../../http/errors.ts";
import { quoted } from "../../http/quoted.ts";
import type { AnswerFormat } from "./format.ts";
import { FORMATS } from "./formats.ts";
import { json } from "./json.ts";

export interface ChosenFormat {
  readonly format: AnswerFormat;
  /** The query without `format`. */
  readonly query: string;
}

/** A type of `Accept` with its parameters, of which only a weight of 0 matters here: it is not wanted. */
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/i;

/** The format that a request names by `?format=`, or else by `Accept`. Throws DomainError. */
export function chooseFormat(
  query: string,
  accept: string,
  formats: readonly AnswerFormat[] = FORMATS,
): ChosenFormat {
  if (formats.length === 1) return { format: json, query };
  const pairs = query.split("&");
  const named = pairs.filter((pair) => pair.startsWith("format="));
  if (named.length === 0) return { format: acceptedFormat(accept, formats), query };
  if (named.length > 1) {
    const message = 'parameter "format" was given more than once; give it once';
    throw new DomainError("invalid_parameter", message);
  }
  const name = named[0]!.slice("format=".length); // the only one
  const format = formats.find((each) => each.name === name);
  if (format === undefined) {
    const allowed = formats.map((each) => `"${each.name}"`).join(" or ");
    const message = `parameter "format" must be ${allowed}, got ${quoted(name)}`;
    throw new DomainError("invalid_parameter", message);
  }
  return { format, query: pairs.filter((pair) => pair !== named[0]).join("&") };
}

/** The first format that `Accept` names, in the caller's order; JSON if it names none. */
function acceptedFormat(accept: string, formats: readonly AnswerFormat[]): AnswerFormat {
  for (const item of accept.toLowerCase().split(",")) {
    if (REFUSED.test(item)) continue;
    const mediaType = item.split(";")[0]!.trim(); // split gives at least one part
    const format = formats.find((each) => each.mediaType === mediaType);
    if (format !== undefined) return format;
  }
  return json;
}

/** The request headers that answers vary with. */
export function varyLine(formats: readonly AnswerFormat[] = FORMATS): string {
  return `\r\nVary: ${formats.length > 1 ? "Accept, " : ""}Accept-Encoding`;
}
