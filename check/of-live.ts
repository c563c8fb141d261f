import { FileRefused } from "../files/refused.ts";
import { PanelRefused } from "../quant/check/panel.ts";
import { MoreNeeded } from "./formats/export.ts";

/** Reads both files. A refusal of either comes before any question, and the backtest before the live record. */
export async function readBoth<Read>(
  backtest: () => Promise<Read>,
  live: (() => Promise<Read>) | undefined,
): Promise<readonly [Read, Read | undefined]> {
  const [read, ofBoth] = await Promise.allSettled([backtest(), live && ofLive(live)]);
  const errors = [read, ofBoth].flatMap((each) => ("reason" in each ? [each.reason as Error] : []));
  const first = errors.find((error) => !(error instanceof MoreNeeded)) ?? errors[0];
  if (read.status === "fulfilled" && ofBoth.status === "fulfilled")
    return [read.value, ofBoth.value];
  throw first!; // one was rejected
}

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
