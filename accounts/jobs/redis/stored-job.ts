import type { Attribution } from "../../../api/attribution.ts";
import type { Job, JobError, JobRequest, JobStatus } from "../job.ts";
import type { StoredJob } from "../job-store.ts";

/** The kind of jobs that were stored before there were others, without their kind. */
export const KIND_BEFORE_STUDIES = "backtest";

/** A job from its Redis hash, an alternating list of fields and values. */
export function storedJobOf(id: number, reply: readonly Buffer[]): StoredJob {
  const fields = new Map<string, Buffer>();
  for (let at = 0; at + 1 < reply.length; at += 2) {
    fields.set(String(reply[at]), reply[at + 1]!); // both indexes are below the length
  }
  const text = (name: string) => fields.get(name)?.toString() ?? "";
  const instant = (name: string) => (fields.has(name) ? Number(text(name)) : null);
  const error = { code: text("code") as JobError["code"], message: text("message") };
  return {
    job: {
      id,
      accountId: text("account"),
      status: text("status") as JobStatus,
      kind: (fields.get("kind")?.toString() ?? KIND_BEFORE_STUDIES) as Job["kind"],
      request: JSON.parse(text("request")) as JobRequest,
      snapshotId: text("snapshot"),
      createdMs: Number(text("created")),
      startedMs: instant("started"),
      finishedMs: instant("finished"),
      error: fields.has("code") ? error : null,
    },
    attribution: JSON.parse(text("attribution")) as Attribution,
    result: fields.get("result") ?? null,
  };
}
