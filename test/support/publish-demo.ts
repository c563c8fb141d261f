import { loadBoard } from "../../pipeline/board.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { openSource } from "../../pipeline/sources/open-source.ts";
import { STAGES } from "./snapshot-market.ts";

/** The coins that `publishDemo` publishes. */
export const DEMO_BOARD = loadBoard().slice(0, 3);

/** Publishes a small demo market as of a date, as the nightly program does. */
export async function publishDemo(root: string, asOf: string, instant: string): Promise<void> {
  const nowMs = () => Date.parse(instant);
  const quiet = { begin() {}, advance() {}, end() {}, notice() {} };
  await runPipeline({
    root,
    source: await openSource("demo", {
      board: DEMO_BOARD,
      now: nowMs,
      exchangeUrl: undefined,
      onNotice() {},
    }),
    board: DEMO_BOARD,
    asOf,
    stages: STAGES,
    clock: { nowMs, elapsedMs: () => 0 },
    versions: {},
    progress: quiet,
    signal: new AbortController().signal,
  });
}
