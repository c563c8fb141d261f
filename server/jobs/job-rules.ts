import { createHash, randomInt } from "node:crypto";
import type { BacktestRequest } from "./job.ts";

/** Rules for jobs that hold in both stores. */

/** How long a repeated `Idempotency-Key` is answered with the first call's job. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** How long a job can be polled after its end. */
export const RESULTS_KEPT_MS = 30 * 24 * 3_600_000;

const JOB_ID_MAX = 2 ** 48 - 1;

/** A random id, which may be taken already. Counted ids would tell how many jobs there are. */
export function drawJobId(): number {
  return randomInt(1, JOB_ID_MAX);
}

/** Equal for two requests that ask for the same thing. */
export function fingerprintOf(request: BacktestRequest): string {
  const { strategy, coin, startDay, startingCashUsd, variant } = request;
  const members = JSON.stringify([strategy, coin, startDay, startingCashUsd, variant]);
  return createHash("sha256").update(members).digest("base64url");
}

/** What the store has of an `Idempotency-Key`, since some callers send a secret as one. */
export function keyDigestOf(idempotencyKey: string): string {
  return createHash("sha256").update(idempotencyKey).digest("base64url");
}
