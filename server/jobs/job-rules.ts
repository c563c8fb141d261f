import { createHash, randomInt } from "node:crypto";
import type { Params } from "../../quant/strategies/template.ts";
import type { JobRequest } from "./job.ts";

/** Rules for jobs that hold in both stores. */

/** How long a repeated `Idempotency-Key` is answered with the first call's job. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** How long a job can be polled after its end. */
export const RESULTS_KEPT_MS = 30 * 24 * 3_600_000;

/** 66 bits: among a million sets, two are alike once in 10 ** 8 accounts. */
const DIGEST_LENGTH = 11;

const JOB_ID_MAX = 2 ** 48 - 1;

/** A random id, which may be taken already. Counted ids would tell how many jobs there are. */
export function drawJobId(): number {
  return randomInt(1, JOB_ID_MAX);
}

/**
 * Equal for two requests that ask for the same thing. Each kind makes its members in one place, in one order, and those
 * that were not asked for are undefined; what is in them, such as `parameters`, may come in any order.
 */
export function fingerprintOf(request: JobRequest): string {
  const members = JSON.stringify(Object.values(request), sortedMembers);
  return createHash("sha256").update(members).digest("base64url");
}

function sortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What stands for a set of parameters from a start day among those that an account tried. */
export function triedDigest(params: Params, startDay: number): string {
  const text = JSON.stringify([Object.values(params), startDay]);
  return createHash("sha256").update(text).digest("base64url").slice(0, DIGEST_LENGTH);
}

/** What the store has of an `Idempotency-Key`, since some callers send a secret as one. */
export function keyDigestOf(idempotencyKey: string): string {
  return createHash("sha256").update(idempotencyKey).digest("base64url");
}
