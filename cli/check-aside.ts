import { FileRefused } from "../files/refused.ts";
import type { Checked, CheckFileOptions } from "../check/check-file.ts";
import { MoreNeeded, type TablePreview } from "../check/formats/export.ts";
import type { CheckFailure } from "../server/checks/check-task.ts";
import { builtFile } from "../server/package-folder.ts";
import { answerOfProcess, type Ended } from "../aside/limited-process.ts";
import { UsageError } from "./usage-error.ts";

/** What is checked: the files in parts, as they were read, and what was said of them. */
export interface FilesToCheck {
  readonly backtest: readonly Uint8Array[];
  readonly live?: readonly Uint8Array[] | undefined;
  readonly options: CheckFileOptions;
  /** The folder of published snapshots. */
  readonly snapshots: string;
}

/** The order that the process gets in one line before the files, the live one last. */
export interface FilesOrder extends Pick<FilesToCheck, "options" | "snapshots"> {
  readonly backtestBytes: number;
  readonly hasLive: boolean;
}

export type FilesReply =
  | { readonly kind: "checked"; readonly checked: Checked }
  | { readonly kind: "misused"; readonly message: string }
  | (CheckFailure & { readonly table?: TablePreview | undefined });

/** The program that checks, and its arguments. */
export type Checker = readonly [program: string, ...args: string[]];

const HEAP_MB = 3072;
/** The 30 million cells that a table may have take some three minutes and 3 GiB; an hour leaves time on a busy machine. */
const LIMITS = { readSeconds: 60, seconds: 3600, heapMb: HEAP_MB, otherMb: 4096 - HEAP_MB };

/** Reads and judges files in a process of its own, which is ended if a damaged file takes too much time or memory. */
export async function checkAside(
  { backtest, live, options, snapshots }: FilesToCheck,
  program: Checker = [builtFile("check-sent-process")],
  limits = LIMITS,
): Promise<Checked> {
  const backtestBytes = backtest.reduce((sum, { length }) => sum + length, 0);
  const hasLive = live !== undefined;
  const order = { options, snapshots, backtestBytes, hasLive } satisfies FilesOrder;
  const reply = await answerOfProcess<FilesReply>({
    program,
    order: JSON.stringify(order),
    file: [...backtest, ...(live ?? [])],
    limits,
  });
  if (reply.kind === "checked") return reply.checked;
  throw errorOf(reply, limits.heapMb + limits.otherMb);
}

function errorOf(reply: Exclude<FilesReply, { kind: "checked" }> | Ended, memoryMb: number): Error {
  switch (reply.kind) {
    case "refused":
    case "too_large":
      return new FileRefused(reply.message);
    case "misused":
      return new UsageError(reply.message);
    case "more_needed":
      return new MoreNeeded(reply.questions, reply.table, reply.isLive);
    case "timed_out":
      return new FileRefused(`the file takes more than ${reply.seconds} s to check`);
    case "slow_to_read":
      return new FileRefused(tooMuch(`${reply.seconds} s`));
    case "out_of_memory":
      return new FileRefused(tooMuch(`${memoryMb / 1024} GiB of memory`));
    case "lost":
      return new Error("the process that checks the file was ended; is there memory left?");
    case "failed":
      return new Error(`a defect in checking the file: ${reply.name}\n${reply.frames}`);
  }
}

function tooMuch(limit: string): string {
  return `the file takes more than ${limit} to read: it is damaged, or larger than any export`;
}
