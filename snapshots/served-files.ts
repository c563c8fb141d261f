/**
 * The files of a snapshot that a reader keeps in memory: the Arrow files of the tables that `openSnapshot` gives. By name, so that
 * they can be read before the code that knows the tables is loaded; opening fails where one is missing here.
 */
export const FILES_SERVED: readonly string[] = [
  "prices",
  "indicators",
  "dca",
  "buy_hold",
  "dataset",
  "dataset_aggregates",
  "dataset_cells",
  "dataset_picks",
  "overfitting_index",
].map((table) => `${table}.arrow`);
