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
