import { FileRefused } from "../files/refused.ts";
import { MoreNeeded, type ReadExport, type ReadOptions } from "../check/formats/export.ts";
import type { CheckFailure } from "../server/checks/check-task.ts";
import { builtFile } from "../server/package-folder.ts";
import { answerOfProcess, type Ended } from "../aside/limited-process.ts";

export type ReadReply = { readonly kind: "read"; readonly read: ReadExport } | CheckFailure;

/** The program that reads, and its arguments. */
export type Reader = readonly [program: string, ...args: string[]];

const HEAP_MB = 3072;
/** The limit of ten minutes leaves a busy machine time for a minute of CPU time. */
const LIMITS = { readSeconds: 60, seconds: 600, heapMb: HEAP_MB, otherMb: 4096 - HEAP_MB };

/** Reads a file in a process of its own, which is ended if a damaged file takes too much time or memory. */
export async function readAside(
  file: readonly Uint8Array[],
  options: ReadOptions,
  reader: Reader = [builtFile("read-process")],
  limits = LIMITS,
): Promise<ReadExport> {
  const order = JSON.stringify(options);
  const reply = await answerOfProcess<ReadReply>({ program: reader, order, file, limits });
  if (reply.kind === "read") return reply.read;
  throw errorOf(reply, limits.heapMb + limits.otherMb);
}

function errorOf(reply: Exclude<ReadReply, { kind: "read" }> | Ended, memoryMb: number): Error {
  switch (reply.kind) {
    case "refused":
    case "too_large":
      return new FileRefused(reply.message);
    case "more_needed":
      return new MoreNeeded(reply.questions, undefined, reply.isLive);
    case "timed_out":
    case "slow_to_read":
      return new FileRefused(tooMuch(`${reply.seconds} s`));
    case "out_of_memory":
      return new FileRefused(tooMuch(`${memoryMb / 1024} GiB of memory`));
    case "lost":
      return new Error("the process that reads the file was ended; is there memory left?");
    case "failed":
      return new Error(`a defect in reading the file: ${reply.name}\n${reply.frames}`);
  }
}

function tooMuch(limit: string): string {
  return `the file takes more than ${limit} to read: it is damaged, or larger than any export`;
}
