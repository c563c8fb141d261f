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
  const policy = `\r\nRateLimit-Policy: "minute";q=${rateWindow.limit};w=${rateWindow.windowSeconds}`;
  const state = `\r\nRateLimit: "minute";r=${rateWindow.remaining};t=${rateWindow.resetSeconds}`;
  if (quota === undefined) return policy + state;
  return `${policy}, "month";q=${quota.limit};w=${quota.windowSeconds}${state}, "month";r=${quota.remaining};t=${quota.resetSeconds}`;
}
