/** One limit, in whole seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/**
 * The `RateLimit-Policy` and `RateLimit` lines of a response, which are structured fields. The first lists each policy's
 * name with its quota `q` and window `w`, the second with the remaining `r` and the seconds `t` until more is available.
 * The quota is left out if the store cannot be reached. Source: IETF draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export function rateLimitLines(rateWindow: LimitState, quota: LimitState | undefined): string {
  const state = `${policyLine(rateWindow, quota)}\r\nRateLimit: "minute";r=${rateWindow.remaining};t=${rateWindow.resetSeconds}`;
  return quota === undefined
    ? state
    : `${state}, "month";r=${quota.remaining};t=${quota.resetSeconds}`;
}

/** The last line: nearly all requests have the same plan. */
let known = { minute: -1, month: -1, seconds: -1, line: "" };

function policyLine(rateWindow: LimitState, quota: LimitState | undefined): string {
  const { limit: minute } = rateWindow;
  const { limit: month, windowSeconds: seconds } = quota ?? { limit: 0, windowSeconds: 0 };
  if (known.minute !== minute || known.month !== month || known.seconds !== seconds) {
    const start = `\r\nRateLimit-Policy: "minute";q=${minute};w=${rateWindow.windowSeconds}`;
    const line = quota === undefined ? start : `${start}, "month";q=${month};w=${seconds}`;
    known = { minute, month, seconds, line };
  }
  return known.line;
}
