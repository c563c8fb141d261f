import { PanelRefused } from "../quant/check/panel.ts";
import { FileRefused, MoreNeeded } from "./formats/export.ts";

/** Reads a live record: what is wrong is said of it, and what it asks is answered by options of its own. */
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
