const SERVED: readonly string[] = [
  "prices",
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
  "overfitting_index_draws",
  "rating_worth",
].map((table) => `${table}.arrow`);

/**
 * Whether a server keeps a file of a snapshot in memory: the Arrow files of the tables that `openSnapshot` provides. It
 * goes by name, so that they can be read before the code that knows the tables is loaded. Opening fails if one is missing
 * here.
 */
export function keepServed(name: string): boolean {
  return SERVED.includes(name);
}
