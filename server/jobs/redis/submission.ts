import type { Attribution } from "../../../api/attribution.ts";
import type { QuotaState } from "../../accounts/accounts.ts";
import { dateOf, quotaState } from "../../accounts/period.ts";
import { planPeriodAt } from "../../accounts/authenticated-key.ts";
import { callsField, usedField } from "../../accounts/redis/account-records.ts";
import type { RedisKey } from "../../accounts/redis/directory.ts";
import { fingerprintOf, IDEMPOTENCY_MS, keyDigestOf, RESULTS_KEPT_MS } from "../job-rules.ts";
import type { Submission, SubmitOutcome } from "../job-store.ts";

/** The arguments of `SUBMIT`, apart from those that change with each try. */
export function submissionValues(
  submission: Submission,
  { account: { id, revision, plans }, env }: RedisKey,
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

/** What a key is stored under, without what all have in front of it. */
export function keyedOf(values: { readonly account: string; readonly keyDigest: string }): string {
  return values.keyDigest === "" ? "" : `${values.account}:${values.keyDigest}`;
}

/** What the submission script answers. For `accepted` and `repeated`, the second element is the job's id. */
export type SubmitReply =
  | readonly [kind: "stale" | "taken" | "changed" | "key_reused"]
  | readonly [kind: "concurrency_exceeded", running: number]
  | readonly [kind: "quota_exceeded", used: number]
  | readonly [kind: "accepted" | "repeated", id: string, attribution: string, used: number];

/** What became of a submission; undefined if it was not decided. */
export function outcomeOf(
  reply: SubmitReply,
  { account: { plans }, env }: RedisKey,
  nowMs: number,
): SubmitOutcome | undefined {
  const { plan, period } = planPeriodAt(plans, env, nowMs);
  const monthAt = (used: number): QuotaState => quotaState(used, plan.callsPerMonth, period, nowMs);
  switch (reply[0]) {
    case "accepted":
    case "repeated": {
      const [kind, id, attribution, used] = reply;
      const decision = { charged: kind === "accepted", plan, ...monthAt(used) };
      return {
        kind,
        jobId: Number(id),
        attribution: JSON.parse(attribution) as Attribution,
        decision,
      };
    }
    case "quota_exceeded":
      return { kind: reply[0], decision: { charged: false, plan, ...monthAt(reply[1]) } };
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
