import { DomainError } from "./errors.ts";
import { quoted } from "./quoted.ts";

/** More pairs than any endpoint has parameters. A longer query is refused before it is parsed. */
const PAIRS_MAX = 32;

/** Parameters by name; of one that may be repeated, a list. */
export type QueryParameters = Record<string, string | string[]>;

const NONE: ReadonlySet<string> = new Set();

/**
 * The parameters of a query string: percent-encoded UTF-8, with `+` for a space, as HTML forms send it. A
 * name that occurs twice, even with the same value, and text that does not decode are refused instead of
 * guessed at; a name in `repeatable` may occur any number of times.
 */
export function parseQuery(query: string, repeatable: ReadonlySet<string> = NONE): QueryParameters {
  const parameters = Object.create(null) as QueryParameters;
  if (query === "") return parameters;
  const pairs = query.split("&", PAIRS_MAX + 1);
  if (pairs.length > PAIRS_MAX) {
    throw new DomainError("invalid_parameter", `the query has more than ${PAIRS_MAX} parameters`);
  }
  for (const pair of pairs) {
    if (pair === "") continue;
    const split = pair.indexOf("=");
    const name = decoded(split < 0 ? pair : pair.slice(0, split));
    const value = split < 0 ? "" : decoded(pair.slice(split + 1));
    if (repeatable.has(name)) {
      const before = parameters[name];
      parameters[name] = Array.isArray(before) ? [...before, value] : [value];
      continue;
    }
    if (name in parameters) {
      throw new DomainError(
        "invalid_parameter",
        `parameter ${quoted(name)} was given more than once; give it once`,
      );
    }
    parameters[name] = value;
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

const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * The path with percent-encoded unreserved characters decoded; RFC 3986 (6.2.2.2) calls that the same path.
 * Everything else stays as sent. Letter case, doubled or trailing slashes and dot segments make a different
 * path, which is then not found.
 */
export function normalisedPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ENCODED, (sent, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : sent;
  });
}

/** What a wildcard address includes on every machine that has it. */
const LOOPBACK = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** Where a browser on this machine finds a server; a wildcard address is replaced by the loopback. */
export function originOf(host: string, port: number): string {
  const reachable = LOOPBACK.get(host) ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Whether only this machine reaches what listens on an address, or has a public address. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
