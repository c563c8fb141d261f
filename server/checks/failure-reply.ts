import { FileRefused, TooLarge } from "../../files/refused.ts";
import { MoreNeeded } from "../../check/formats/export.ts";
import { PanelRefused } from "../../quant/check/panel.ts";
import { cutMessage } from "../../quant/cut-message.ts";
import type { CheckFailure } from "./check-task.ts";

/** How V8 reports that there is no memory for columns or texts. */
const NO_MEMORY = /^(?:Array buffer allocation failed|Invalid (?:string|array|typed array) length)/;

export function failureReply(error: unknown): CheckFailure {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(typeof error);
  const text = cutMessage(message);
  if (error instanceof MoreNeeded) {
    const questions = error.questions.map((asked) => ({ ...asked, text: cutMessage(asked.text) }));
    return { kind: "more_needed", questions, isLive: error.isLive };
  }
  if (error instanceof TooLarge) return { kind: "too_large", message: text };
  if (error instanceof FileRefused || error instanceof PanelRefused) {
    return { kind: "refused", message: text };
  }
  if (error instanceof RangeError && NO_MEMORY.test(message)) return { kind: "out_of_memory" };
  // The message may quote the file, and so may the stack, which begins with it.
  const frames = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  return { kind: "failed", name, frames: frames.join("\n") };
}
