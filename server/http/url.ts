import { DomainError } from "./errors.ts";
import { quoted } from "./quoted.ts";

/** More than any endpoint has parameters. A query with more pairs is refused before it is parsed. */
const PAIRS_MAX = 32;

/** Parameters by name. One that may be repeated is a list. */
export type QueryParameters = Record<string, string | string[]>;

const NONE: ReadonlySet<string> = new Set();

/**
 * The parameters of a query string: percent-encoded UTF-8, with `+` for a space, as HTML forms send it. Throws DomainError
 * for text that does not decode and for a name that occurs twice, even with the same value, unless it is `repeatable`.
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

/** A name or value of a query, decoded. Throws DomainError. */
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
 * The path with percent-encoded unreserved characters decoded, which is the same path (RFC 3986, 6.2.2.2). Everything else
 * stays as sent: another case of letters, doubled or trailing slashes and dot segments make another path.
 */
export function normalisedPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ENCODED, (sent, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : sent;
  });
}

/** The loopback address that each wildcard address includes. */
const LOOPBACK = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The origin of a server for a browser on this machine. A wildcard address becomes the loopback address. */
export function originOf(host: string, port: number): string {
  const reachable = LOOPBACK.get(host) ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** Whether a host is this machine's loopback, which no other machine reaches. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
