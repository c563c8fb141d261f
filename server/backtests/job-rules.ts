import { createHash, randomInt } from "node:crypto";
import type { BacktestRequest } from "./job.ts";

/** What holds of jobs wherever they are kept. */

/** For so long a repeat of an `Idempotency-Key` is answered the first call's job. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** For so long a job can be asked for after its end. */
export const RESULTS_KEPT_MS = 30 * 24 * 3_600_000;

const JOB_ID_MAX = 2 ** 48 - 1;

/** An id that may be free. Ids are drawn, not counted: they tell nobody how many jobs there are. */
export function drawJobId(): number {
  return randomInt(1, JOB_ID_MAX);
}

/** Tells requests apart: two that ask for the same have the same. */
export function fingerprintOf(request: BacktestRequest): string {
  const { strategy, coin, startDay, startingCashUsd, variant } = request;
  const members = JSON.stringify([strategy, coin, startDay, startingCashUsd, variant]);
  return createHash("sha256").update(members).digest("base64url");
}
