import type { CheckFileOptions } from "../../check/check-file.ts";
import type { Question } from "../../check/formats/export.ts";

/** A file that is to be checked. */
export interface CheckTask {
  /** Handed over: the sender has it no more. */
  readonly file: readonly Uint8Array<ArrayBuffer>[];
  readonly options: CheckFileOptions;
  readonly snapshotId: string;
}

/** What the process of a check is sent, in one line before the file. */
export interface CheckOrder {
  readonly options: CheckFileOptions;
  /** The folder of the snapshot. */
  readonly dir: string;
}

/** What the process of a check answers. Nothing of the file is in `failed`: that is logged. */
export type CheckReply =
  | { readonly kind: "report"; readonly json: string }
  | { readonly kind: "refused" | "too_large"; readonly message: string }
  | { readonly kind: "more_needed"; readonly questions: readonly Question[] }
  | { readonly kind: "out_of_memory" }
  | { readonly kind: "failed"; readonly name: string; readonly frames: string };

/** The reply, or why there is none: `lost`: its process was ended from outside. */
export type CheckOutcome =
  | CheckReply
  | { readonly kind: "timed_out"; readonly seconds: number }
  | { readonly kind: "lost" | "stopped" };

/** What a thread is given. It answers with the outcome. */
export interface ThreadTask {
  /** The built file of the process. */
  readonly program: string;
  readonly order: string;
  readonly file: readonly Uint8Array[];
  readonly timeLimitMs: number;
  readonly heapLimitMb: number;
}

/** Tells a thread that its outcome is no longer needed. */
export const STOP = "stop";
