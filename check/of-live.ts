import { PanelRefused } from "../quant/check/panel.ts";
import { FileRefused, MoreNeeded } from "./formats/export.ts";

/** Does some work on the live record. Its refusals name the live record, and its questions are marked as being about it. */
export async function ofLive<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MoreNeeded) throw new MoreNeeded(error.questions, error.table, true);
    if (error instanceof FileRefused || error instanceof PanelRefused)
      throw new FileRefused(`the live record: ${error.message}`);
    throw error;
  }
}
