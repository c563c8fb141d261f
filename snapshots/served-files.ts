import type { Keep } from "./read-files.ts";

/** Sent to the threads that run backtests. */
const SHARED = ["prices.arrow"];
const OWN = [
  "indicators",
  "dca",
  "buy_hold",
  "dataset",
  "dataset_aggregates",
  "dataset_cells",
  "dataset_picks",
  "dataset_robustness",
  "dataset_runs",
  "overfitting_index",
].map((table) => `${table}.arrow`);

/**
 * Which files of a snapshot a reader keeps in memory: the Arrow files of the tables that `openSnapshot`
 * provides. It goes by name, so that they can be read before the code that knows the tables is loaded.
 * Opening fails if one is missing here.
 */
export function keepServed(name: string): Keep | undefined {
  if (SHARED.includes(name)) return "shared";
  return OWN.includes(name) ? "own" : undefined;
}
