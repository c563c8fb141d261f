/** Response headers of the document, by name. */
export const HEADERS = {
  "X-Request-Id": {
    description: "id of the request: yours, or one made for it",
    schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,64}$" },
  },
  "RateLimit-Policy": {
    description:
      "the limits: `q` requests or calls in `w` seconds, for the rate limit and the quota (IETF draft-ietf-httpapi-ratelimit-headers)",
    schema: { type: "string" },
    example: '"minute";q=60;w=60, "month";q=10000;w=2592000',
  },
  RateLimit: {
    description: "what is left of each limit (`r`), and the seconds until there is more (`t`)",
    schema: { type: "string" },
    example: '"minute";r=59;t=60, "month";r=9958;t=1209600',
  },
  "Retry-After": {
    description: "whole seconds to wait",
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  ETag: {
    description: "weak entity tag of `data`, made of the snapshot, the path and the parameters",
    schema: { type: "string" },
    example: 'W/"2025-06-30T20250701T001000000Z-0e5a1b2c3d4f/buy-hold?coin=btc"',
  },
  "Cache-Control": {
    description: "`private, no-cache` for snapshot data, else `no-store`",
    schema: { type: "string" },
  },
  Vary: {
    description:
      "`Accept-Encoding`: bodies of 1 KiB and more are sent gzipped if accepted; `Accept` where an answer has other formats",
    schema: { type: "string" },
  },
  "Content-Disposition": {
    description: "in CSV, a name to save the rows under",
    schema: { type: "string" },
    example: 'attachment; filename="hindsight-buy-hold-btc-2025-06-30.csv"',
  },
  Link: {
    description: "in CSV, the licence, with the source as its title (RFC 8288)",
    schema: { type: "string" },
    example:
      '<https://creativecommons.org/licenses/by/4.0/>; rel="license"; title="Hindsight, from daily prices of binance, CC BY 4.0"',
  },
  Synthetic: {
    description: "`true` in CSV whose prices are made up",
    schema: { type: "string", const: "true" },
  },
  "WWW-Authenticate": {
    description: "`Bearer`",
    schema: { type: "string", const: "Bearer" },
  },
  Allow: { description: "the methods that this path takes", schema: { type: "string" } },
} as const;

export type HeaderName = keyof typeof HEADERS;

export const ACCOUNT_HEADERS: readonly HeaderName[] = [
  "X-Request-Id",
  "RateLimit-Policy",
  "RateLimit",
];

export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
