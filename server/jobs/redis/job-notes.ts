import { Notes, type NotesOptions, type Settled } from "../../redis/notes.ts";
import { TAKE_BACK_JOBS } from "./job-scripts.ts";

/** How long settling one note may take; no request waits for it. */
const SETTLE_MS = 1_000;

/** Submissions that Redis did not answer and whose callers are told 503. */
export interface JobNote {
  readonly store: string;
  readonly ids: readonly string[];
  /** For each of them its account and the digest of its `Idempotency-Key`, or "" if it has none. */
  readonly keyed: readonly string[];
  /** By Redis's clock. After it Redis takes none of them in. */
  readonly deadlineMs: number;
}

/**
 * Notes of jobs that must not stand. Each job is undone together with its charge if Redis took it in, unless
 * a repeat of its `Idempotency-Key` heard of it.
 */
export function jobNotes(options: Omit<NotesOptions<JobNote>, "kind" | "settle">): Notes<JobNote> {
  return new Notes({
    ...options,
    kind: "jobs",
    settle: async (link, note) =>
      (await link.run(TAKE_BACK_JOBS, [JSON.stringify(note)], SETTLE_MS)) as Settled,
  });
}
