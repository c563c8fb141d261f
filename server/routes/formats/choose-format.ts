import { DomainError } from "../../http/errors.ts";
import { decoded } from "../../http/query.ts";
import { quoted } from "../../http/quoted.ts";
import { readFields } from "../fields.ts";
import type { AnswerFormat } from "./format.ts";
import { json } from "./json.ts";

/** How a request wants its answer, and what else it asks for. */
export interface ChosenForm {
  readonly format: AnswerFormat;
  /** The members it wants, sorted; none for all of them. */
  readonly fields: readonly string[];
  /** The query without `format` and `fields`. */
  readonly query: string;
}

/** A type of `Accept` with its parameters, of which only a weight of 0 matters here: it is not wanted. */
const REFUSED = /;\s*q=0(?:\.0*)?\s*$/i;
const FORM = /(?:^|&)(?:format|fields)=/;

/** The form that a request names by `?format=` or `Accept`, and by `?fields=`. Throws DomainError. */
export function chooseForm(
  query: string,
  accept: string,
  formats: readonly AnswerFormat[],
): ChosenForm {
  if (!FORM.test(query)) return { format: acceptedFormat(accept, formats), fields: [], query };
  const named: Record<string, string | undefined> = {};
  const others = query.split("&").filter((pair) => {
    const [name = ""] = pair.split("=", 1);
    if (name !== "fields" && (name !== "format" || formats.length === 1)) return true;
    if (named[name] !== undefined) {
      const message = `parameter "${name}" was given more than once; give it once`;
      throw new DomainError("invalid_parameter", message);
    }
    named[name] = decoded(pair.slice(name.length + 1));
    return false;
  });
  const { format, fields } = named;
  return {
    format: format === undefined ? acceptedFormat(accept, formats) : namedFormat(format, formats),
    fields: fields === undefined ? [] : readFields(fields),
    query: others.join("&"),
  };
}

function namedFormat(name: string, formats: readonly AnswerFormat[]): AnswerFormat {
  const format = formats.find((each) => each.name === name);
  if (format !== undefined) return format;
  const allowed = formats.map((each) => `"${each.name}"`).join(" or ");
  const message = `parameter "format" must be ${allowed}, got ${quoted(name)}`;
  throw new DomainError("invalid_parameter", message);
}

/** The first format that `Accept` names, in the caller's order; JSON if it names none. */
function acceptedFormat(accept: string, formats: readonly AnswerFormat[]): AnswerFormat {
  const types = accept.toLowerCase();
  const [, ...others] = formats;
  if (!others.some(({ mediaType }) => types.includes(mediaType))) return json;
  for (const item of types.split(",")) {
    if (REFUSED.test(item)) continue;
    const mediaType = item.split(";")[0]!.trim(); // split gives at least one part
    const format = formats.find((each) => each.mediaType === mediaType);
    if (format !== undefined) return format;
  }
  return json;
}

/** The request headers that answers vary with. */
export function varyLine(formats: readonly AnswerFormat[]): string {
  return `\r\nVary: ${formats.length > 1 ? "Accept, " : ""}Accept-Encoding`;
}
