import { Notes, type NotesOptions, type Settled } from "../../redis/notes.ts";
import { TAKE_BACK_JOBS } from "./job-scripts.ts";

/** For one note; no request waits for it. */
const SETTLE_MS = 1_000;

/** Submissions whose answer was not heard, and whose callers are told 503. */
export interface JobNote {
  readonly store: string;
  readonly ids: readonly string[];
  /** By Redis's clock: later none of them is taken in. */
  readonly deadlineMs: number;
}

/** Notes of jobs that must not be: each is undone with its charge, if Redis took it in and no repeat was told of it. */
export function jobNotes(options: Omit<NotesOptions<JobNote>, "kind" | "settle">): Notes<JobNote> {
  return new Notes({
    ...options,
    kind: "jobs",
    settle: async (link, note) =>
      (await link.run(TAKE_BACK_JOBS, [JSON.stringify(note)], SETTLE_MS)) as Settled,
  });
}
