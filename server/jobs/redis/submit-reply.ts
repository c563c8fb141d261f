import type { QuotaState } from "../../accounts/accounts.ts";
import { quotaState } from "../../accounts/quota.ts";
import type { Payer } from "../../accounts/redis/known-key.ts";
import type { SubmitOutcome } from "../job-store.ts";

/** What the submission script answers. For `accepted` and `repeated`, the second element is the job's id. */
export type SubmitReply =
  | readonly [kind: "stale" | "taken" | "gone" | "changed" | "key_reused"]
  | readonly [kind: "concurrency_exceeded", running: number]
  | readonly [kind: "quota_exceeded", used: number]
  | readonly [kind: "accepted" | "repeated", id: string, attribution: string, used: number];

/** What became of a submission; undefined if it was not decided. */
export function outcomeOf(
  reply: SubmitReply,
  { caller: { plan }, period }: Payer,
  nowMs: number,
): SubmitOutcome | undefined {
  const monthAt = (used: number): QuotaState => quotaState(used, plan.callsPerMonth, period, nowMs);
  switch (reply[0]) {
    case "accepted":
    case "repeated": {
      const [kind, id, attribution, used] = reply;
      const decision = { charged: kind === "accepted", plan, ...monthAt(used) };
      return { kind, jobId: Number(id), attribution: JSON.parse(attribution) as object, decision };
    }
    case "quota_exceeded":
      return { kind: reply[0], decision: { charged: false, plan, ...monthAt(reply[1]) } };
    case "concurrency_exceeded":
      return { kind: reply[0], running: reply[1] };
    case "key_reused":
      return { kind: reply[0] };
    case "stale":
    case "taken":
    case "gone":
    case "changed":
      return undefined;
  }
}
