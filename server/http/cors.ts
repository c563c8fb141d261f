const EXPOSED =
  "Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Repr-Digest, Retry-After, Synthetic, X-Request-Id";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-Request-Id";
const PREFLIGHT_MAX_AGE_SECONDS = 86_400;

/** An origin as browsers write it. Files and sandboxed frames have the origin `null`. */
const ORIGIN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9_.:[\]-]{1,255})$/;

/**
 * The header lines that let pages of configured origins read answers (Fetch standard, section 3.2). `*` means any origin.
 * Credentials are not allowed, since a page sends its key in a header and never in a cookie.
 */
export class CorsPolicy {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** Lines for any response; "" if no origin is configured. */
  lines(origin: string): string {
    if (this.#origins.size === 0) return "";
    if (!this.allows(origin)) return "\r\nVary: Origin";
    return `\r\nVary: Origin\r\nAccess-Control-Allow-Origin: ${origin}\r\nAccess-Control-Expose-Headers: ${EXPOSED}`;
  }

  /** Lines for the answer to a preflight, in addition to those of any response. */
  preflightLines(origin: string, methods: string): string {
    if (!this.allows(origin)) return "";
    return (
      `\r\nAccess-Control-Allow-Methods: ${methods}\r\nAccess-Control-Allow-Headers: ${REQUEST_HEADERS}` +
      `\r\nAccess-Control-Max-Age: ${PREFLIGHT_MAX_AGE_SECONDS}`
    );
  }

  /** True only for well-formed origins, so that no other text is echoed into a header. */
  allows(origin: string): boolean {
    return this.#origins.has(origin) || (this.#origins.has("*") && ORIGIN.test(origin));
  }
}
