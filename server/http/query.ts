import { DomainError } from "./errors.ts";
import { quoted } from "./quoted.ts";

/** More pairs than any endpoint has parameters. A longer query is refused before it is parsed. */
const PAIRS_MAX = 32;

/**
 * The parameters of a query string: percent-encoded UTF-8, with `+` for a space, as HTML forms send it. A
 * name that occurs twice, even with the same value, and text that does not decode are refused instead of
 * guessed at.
 */
export function parseQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  if (query === "") return parameters;
  const pairs = query.split("&", PAIRS_MAX + 1);
  if (pairs.length > PAIRS_MAX) {
    throw new DomainError("invalid_parameter", `the query has more than ${PAIRS_MAX} parameters`);
  }
  for (const pair of pairs) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = decoded(split < 0 ? pair : pair.slice(0, split));
    if (name in parameters) {
      throw new DomainError(
        "invalid_parameter",
        `parameter ${quoted(name)} was given more than once; give it once`,
      );
    }
    parameters[name] = split < 0 ? "" : decoded(pair.slice(split + 1));
  }
  return parameters;
}

/** A name or value of a query as it was meant. */
export function decoded(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new DomainError(
      "invalid_parameter",
      `${quoted(text)} in the query is not percent-encoded UTF-8`,
    );
  }
}
