import { hash, randomInt } from "node:crypto";
import type { Params } from "../../quant/strategies/template.ts";
import type { JobRequest } from "./job.ts";

/** For this long, a repeated `Idempotency-Key` is answered with the first call's job. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** For this long, a job can be polled after its end. */
export const RESULTS_KEPT_MS = 30 * 24 * 3_600_000;

/** 66 bits: among a million sets, a collision happens in one of 10 ** 8 accounts. */
const DIGEST_LENGTH = 11;

const JOB_ID_MAX = 2 ** 48 - 1;

/** A random id, which may already be in use. Consecutive ids would reveal the number of jobs. */
export function drawJobId(): number {
  return randomInt(1, JOB_ID_MAX);
}

/**
 * A digest that is equal for equal requests. The order of a request's own members is fixed by the code that makes it;
 * members within them, such as those of `parameters`, may come in any order.
 */
export function fingerprintOf(request: JobRequest): string {
  return hash("sha256", JSON.stringify(Object.values(request), sortedMembers), "base64url");
}

function sortedMembers(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A digest of a parameter set and start day, under which an account's tried sets are counted. */
export function triedDigest(params: Params, startDay: number): string {
  const text = JSON.stringify([Object.values(params), startDay]);
  return hash("sha256", text, "base64url").slice(0, DIGEST_LENGTH);
}

/** The stored form of an `Idempotency-Key`: a hash, since some callers send a secret as one. */
export function keyDigestOf(idempotencyKey: string): string {
  return hash("sha256", idempotencyKey, "base64url");
}
