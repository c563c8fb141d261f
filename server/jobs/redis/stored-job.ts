import type { Job, JobError, JobStatus } from "../job.ts";
import type { StoredJob } from "../job-store.ts";

/** A job from its hash, which lists fields and values alternately. */
export function storedJobOf(id: number, reply: readonly Buffer[]): StoredJob {
  const fields = new Map<string, Buffer>();
  for (let at = 0; at + 1 < reply.length; at += 2) {
    fields.set(String(reply[at]), reply[at + 1]!); // both indexes are below the length
  }
  const text = (name: string) => fields.get(name)?.toString();
  const result = fields.get("result");
  return {
    job: jobOf(id, text),
    attribution: JSON.parse(known(text("attribution"))) as object,
    result: result ?? null,
  };
}

function jobOf(id: number, text: (name: string) => string | undefined): Job {
  const code = text("code") as JobError["code"] | undefined;
  return {
    id,
    accountId: known(text("account")),
    status: known(text("status")) as JobStatus,
    request: JSON.parse(known(text("request"))) as Job["request"],
    snapshotId: known(text("snapshot")),
    createdMs: Number(known(text("created"))),
    startedMs: instantOf(text("started")),
    finishedMs: instantOf(text("finished")),
    error: code === undefined ? null : { code, message: text("message") ?? "" },
  };
}

function instantOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** Every job has these fields; they are written when it is taken in. */
function known(text: string | undefined): string {
  if (text === undefined) throw new Error("a stored job lacks a part");
  return text;
}
