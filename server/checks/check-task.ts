import type { CheckFileOptions } from "../../check/check-file.ts";
import type { Question } from "../../check/formats/export.ts";
import type { Ended } from "../../aside/limited-process.ts";

export interface CheckTask {
  readonly accountId: string;
  /** The sender's memory is transferred, so only the receiver can read it. */
  readonly file: readonly Uint8Array<ArrayBuffer>[];
  readonly options: CheckFileOptions;
  /** The content type of a form with several files; undefined for a single one. */
  readonly form?: string | undefined;
  readonly snapshotId: string;
}

/** The order that the process of a check gets in one line before the file. */
export interface CheckOrder {
  readonly options: CheckFileOptions;
  readonly form?: string | undefined;
  readonly dir: string;
}

export type CheckReply = { readonly kind: "report"; readonly json: string } | CheckFailure;

/** `failed` is logged, so it has nothing of the file in it. */
export type CheckFailure =
  | { readonly kind: "refused" | "too_large"; readonly message: string }
  | {
      readonly kind: "more_needed";
      readonly questions: readonly Question[];
      readonly isLive: boolean;
    }
  | { readonly kind: "out_of_memory" }
  | { readonly kind: "failed"; readonly name: string; readonly frames: string };

export type CheckOutcome = CheckReply | Ended | { readonly kind: "stopped" };

/** Tells a thread that its outcome is no longer needed. */
export const STOP = "stop";
