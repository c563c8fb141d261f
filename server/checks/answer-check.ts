import { CheckReport, reportJson } from "../../api/check-report.ts";
import { checkFile, PanelTooLarge } from "../../check/check-file.ts";
import { FileRefused, MoreNeeded } from "../../check/formats/export.ts";
import { needsMarket } from "../../check/market.ts";
import { PanelRefused } from "../../quant/check/panel.ts";
import type { CheckOrder, CheckReply } from "./check-task.ts";
import { snapshotMarket } from "./snapshot-market.ts";

/** Variants times bars that are checked over HTTP: a few seconds of work. */
const CELLS_MAX = 400_000;
/** How V8 says that there is no memory for columns or texts. */
const NO_MEMORY = /^(?:Array buffer allocation failed|Invalid (?:string|array|typed array) length)/;

/** All that the process of a check does: the arithmetic is in `quant`, the reading in `check`. */
export async function answerCheck(
  file: Uint8Array,
  { options, dir }: CheckOrder,
): Promise<CheckReply> {
  try {
    const { report } = await checkFile(file, options, {
      marketFor: async (read) =>
        needsMarket(read, options.coin) ? snapshotMarket(dir) : undefined,
      cellsMax: CELLS_MAX,
    });
    return { kind: "report", json: reportJson(CheckReport.of(report), false, 0) };
  } catch (error) {
    return replyTo(error);
  }
}

function replyTo(error: unknown): CheckReply {
  if (error instanceof MoreNeeded) {
    return { kind: "more_needed", questions: error.questions };
  }
  if (error instanceof PanelTooLarge) return { kind: "too_large", message: error.message };
  if (error instanceof FileRefused || error instanceof PanelRefused) {
    return { kind: "refused", message: error.message };
  }
  if (error instanceof RangeError && NO_MEMORY.test(error.message))
    return { kind: "out_of_memory" };
  const { name, stack = "" } = error instanceof Error ? error : new Error(typeof error);
  // The message may quote the file, and so may the stack, which begins with it.
  const frames = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  return { kind: "failed", name, frames: frames.join("\n") };
}
