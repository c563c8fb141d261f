const ENCODED = /%([0-9A-Fa-f]{2})/g;
const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/**
 * The path with percent-encoded unreserved characters decoded, which RFC 3986 (6.2.2.2) calls the same path;
 * everything else stays as sent. Nothing else is forgiven: letter case, doubled and trailing slashes and
 * dot segments make another path, which is then not found.
 */
export function normalisedPath(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(ENCODED, (sent, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : sent;
  });
}
