import type { ByteWriter } from "./byte-writer.ts";
import { constantText, type ConstantText } from "./constant-text.ts";

/** One limit, in whole seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/** More plans than are in use at once, and so few that searching them costs less than writing the line. */
const POLICIES_KEPT = 8;

interface PolicyLine {
  readonly minute: LimitState;
  readonly month: LimitState | undefined;
  readonly line: ConstantText;
}

/** The policy lines written last; they are the same for all callers of a plan. */
const policies: PolicyLine[] = [];
let oldest = 0;

const STATE = constantText('\r\nRateLimit: "minute";r=');
const STATE_OF_MONTH = constantText(', "month";r=');
const RESET = constantText(";t=");

/**
 * Writes the `RateLimit-Policy` and `RateLimit` lines of a response, which are structured fields. The first
 * lists each policy's name with its quota `q` and window `w`, the second with the remaining `r` and the
 * seconds `t` until more is available. The month is left out if the store cannot tell. Source: IETF
 * draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export function writeRateLimits(
  out: ByteWriter,
  minute: LimitState,
  month: LimitState | undefined,
): void {
  out.constant(policyOf(minute, month));
  out.constant(STATE);
  out.integer(minute.remaining);
  out.constant(RESET);
  out.integer(minute.resetSeconds);
  if (month === undefined) return;
  out.constant(STATE_OF_MONTH);
  out.integer(month.remaining);
  out.constant(RESET);
  out.integer(month.resetSeconds);
}

function policyOf(minute: LimitState, month: LimitState | undefined): ConstantText {
  for (const known of policies) {
    if (samePolicy(known.minute, minute) && samePolicy(known.month, month)) return known.line;
  }
  const policy = { minute, month, line: constantText(policyLine(minute, month)) };
  policies[oldest] = policy;
  oldest = (oldest + 1) % POLICIES_KEPT;
  return policy.line;
}

function samePolicy(a: LimitState | undefined, b: LimitState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.limit === b.limit && a.windowSeconds === b.windowSeconds;
}

function policyLine(minute: LimitState, month: LimitState | undefined): string {
  const line = `\r\nRateLimit-Policy: "minute";q=${minute.limit};w=${minute.windowSeconds}`;
  return month === undefined ? line : `${line}, "month";q=${month.limit};w=${month.windowSeconds}`;
}
