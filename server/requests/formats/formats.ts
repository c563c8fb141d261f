import { csv } from "./csv.ts";
import type { AnswerFormat, AnswerParts } from "./format.ts";
import { json } from "./json.ts";
import { DomainError } from "../../http/errors.ts";
import { decoded } from "../../http/url.ts";
import { quoted } from "../../http/quoted.ts";
import { readFields, pickColumns, pickFields } from "../../routes/fields.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Endpoint, Resolved } from "../../routes/endpoint.ts";

/** Every format of answers. The first is for callers that ask for none. */
export const FORMATS: readonly AnswerFormat[] = [json, csv];

/** The formats of answers without rows. */
export const ONLY_JSON: readonly AnswerFormat[] = [json];

/** How a request wants its answer, and what else it asks for. */
export interface ChosenForm {
  readonly format: AnswerFormat;
  /** The members it wants, sorted; none for all of them. */
  readonly fields: readonly string[];
  /** The query without `format` and `fields`. */
  readonly query: string;
}

/** The weight of a type in `Accept` (RFC 9110, 12.4.2). */
const WEIGHT = /;\s*q=([01](?:\.\d{0,3})?)\s*$/;
const FORM = /(?:^|&)(?:format|fields)=/;

/** The form that a request names by `?format=` or `Accept`, and by `?fields=`. Throws DomainError. */
export function chooseForm(
  { query, accept }: Pick<HttpRequest, "query" | "accept">,
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

/** The format that `Accept` gives most weight, of several the first in its order; JSON if it names none. */
function acceptedFormat(accept: string, formats: readonly AnswerFormat[]): AnswerFormat {
  const types = accept.toLowerCase();
  const [, ...others] = formats;
  if (!others.some(({ mediaType }) => types.includes(mediaType))) return json;
  const items = types.split(",").map((item) => {
    const mediaType = item.split(";")[0]!.trim(); // split gives at least one part
    return { mediaType, weight: Number(WEIGHT.exec(item)?.[1] ?? 1) };
  });
  const isNamed = (format: AnswerFormat) =>
    items.some(({ mediaType }) => mediaType === format.mediaType);
  const wanted = items
    .toSorted((a, b) => b.weight - a.weight)
    .flatMap(({ mediaType, weight }) => {
      if (weight === 0) return [];
      if (mediaType === "*/*") return formats.filter((each) => !isNamed(each));
      return formats.filter((each) => each.mediaType === mediaType);
    });
  return wanted[0] ?? json;
}

/** The request headers that answers vary with. */
export function varyLine(formats: readonly AnswerFormat[]): string {
  return `\r\nVary: ${formats.length > 1 ? "Accept, " : ""}Accept-Encoding`;
}

/** The formats that an endpoint's answers have. */
export function formatsOf(endpoint: Pick<Endpoint, "rows">): readonly AnswerFormat[] {
  return endpoint.rows === undefined ? ONLY_JSON : FORMATS;
}

/** An answer in the form that was chosen: its text up to the caller's own part, and its header lines. */
export function writeAnswer(
  endpoint: Endpoint,
  { format, fields }: Omit<ChosenForm, "query">,
  data: object,
  asked: Resolved = {},
): { readonly text: string; readonly lines: string } {
  const words = [endpoint.path.slice(1), ...Object.values(asked)];
  const answer: AnswerParts = {
    data: pickFields(endpoint.data, data, fields) as AnswerParts["data"],
    table: () => pickColumns(endpoint.rows!(data as never, asked), fields), // only JSON is without rows
    asked: [...new Set(words.filter((word) => word !== undefined))].join("-"),
  };
  return { text: format.write(answer), lines: format.headers(answer) };
}
