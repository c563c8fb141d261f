import type { Caller } from "../../accounts.ts";
import type { Attribution } from "../../../api/attribution.ts";
import { dateOf, planPeriodAt, quotaState } from "../../in-force.ts";
import { callsField, usedField } from "../../redis/account-records.ts";
import { fingerprintOf, IDEMPOTENCY_MS, keyDigestOf, RESULTS_KEPT_MS } from "../job-rules.ts";
import type { Submission, SubmitOutcome } from "../job-store.ts";

/** The arguments of `SUBMIT`, except for those that change with each attempt. */
export function submissionValues(
  submission: Submission,
  { account: { id, revision, plans }, env }: Caller,
) {
  const { kind, request, runs, endpoint, tried, snapshotId, attribution, idempotencyKey, nowMs } =
    submission;
  const { plan, period } = planPeriodAt(plans, env, nowMs);
  const { concurrentRuns, backtestUnits, callsPerMonth } = plan;
  return {
    account: id,
    rev: revision,
    keyDigest: idempotencyKey === undefined ? "" : keyDigestOf(idempotencyKey),
    keyKeptMs: IDEMPOTENCY_MS,
    keptMs: RESULTS_KEPT_MS,
    fingerprint: fingerprintOf(request),
    nowMs,
    createdText: String(nowMs),
    concurrentRuns: concurrentRuns ?? 0,
    runs,
    units: runs * (backtestUnits ?? 0),
    limit: callsPerMonth,
    period: usedField(env, period.name),
    calls: callsField(dateOf(nowMs), env, endpoint),
    kind,
    request: JSON.stringify(request),
    scope: tried?.scope,
    tried: tried?.digests,
    snapshot: snapshotId,
    attribution: JSON.stringify(attribution),
  };
}

/** The name of an Idempotency-Key in Redis, without the prefix that all have; "" without a key. */
export function keyedOf(values: { readonly account: string; readonly keyDigest: string }): string {
  return values.keyDigest === "" ? "" : `${values.account}:${values.keyDigest}`;
}

/** The reply of `SUBMIT`. With `accepted` and `repeated`, the second element is the job's id. */
export type SubmitReply =
  | readonly [kind: "stale" | "taken" | "changed" | "key_reused"]
  | readonly [kind: "concurrency_exceeded", running: number]
  | readonly [kind: "quota_exceeded", used: number]
  | readonly [kind: "accepted" | "repeated", id: string, attribution: string, used: number];

/** The outcome of a submission; undefined if Redis did not decide it. */
export function outcomeOf(
  reply: SubmitReply,
  { account: { plans }, env }: Caller,
  nowMs: number,
): SubmitOutcome | undefined {
  const { plan, period } = planPeriodAt(plans, env, nowMs);
  const decisionOn = (used: number, charged: boolean) => {
    return { charged, plan, ...quotaState(used, plan.callsPerMonth, period, nowMs) };
  };
  switch (reply[0]) {
    case "accepted":
    case "repeated": {
      const [kind, id, text, used] = reply;
      const attribution = JSON.parse(text) as Attribution;
      return {
        kind,
        jobId: Number(id),
        attribution,
        decision: decisionOn(used, kind === "accepted"),
      };
    }
    case "quota_exceeded":
      return { kind: reply[0], decision: decisionOn(reply[1], false) };
    case "concurrency_exceeded":
      return { kind: reply[0], running: reply[1] };
    case "key_reused":
      return { kind: reply[0] };
    case "stale":
    case "taken":
    case "changed":
      return undefined;
  }
}
