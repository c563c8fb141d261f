import { callsField, usedField } from "../../accounts/redis/keys.ts";
import { payerAt, type KnownKey } from "../../accounts/redis/known-key.ts";
import { dateOf } from "../../accounts/period.ts";
import { fingerprintOf, IDEMPOTENCY_MS, keyDigestOf } from "../job-rules.ts";
import type { Submission } from "../job-store.ts";

/** The name under which the account's usage lists a submission. */
const ENDPOINT = "/backtests";

/** The arguments of `SUBMIT`, apart from those that change with each try. */
export function submissionValues(
  { request, snapshotId, attribution, idempotencyKey, nowMs }: Submission,
  known: KnownKey,
) {
  const { accountId, env, revision } = known;
  const { caller, period } = payerAt(known, nowMs);
  const { concurrentRuns, backtestUnits, callsPerMonth } = caller.plan;
  return {
    account: accountId,
    rev: revision,
    keyDigest: idempotencyKey === undefined ? "" : keyDigestOf(idempotencyKey),
    keyKeptMs: IDEMPOTENCY_MS,
    fingerprint: fingerprintOf(request),
    nowMs,
    createdText: String(nowMs),
    concurrentRuns: concurrentRuns ?? 0,
    units: backtestUnits ?? 0,
    limit: callsPerMonth,
    period: usedField(env, period.name),
    calls: callsField(dateOf(nowMs), env, ENDPOINT),
    request: JSON.stringify(request),
    snapshot: snapshotId,
    attribution: JSON.stringify(attribution),
  };
}

/** What a key is stored under, without what all have in front of it. */
export function keyedOf(values: { readonly account: string; readonly keyDigest: string }): string {
  return values.keyDigest === "" ? "" : `${values.account}:${values.keyDigest}`;
}
