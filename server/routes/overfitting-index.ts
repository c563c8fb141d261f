import { IndexMonth, OverfittingIndex } from "../../api/overfitting-index.ts";
import { tableOf } from "../../api/table.ts";
import { indexLuck } from "../../quant/overfitting/index-luck.ts";
import type { Row } from "../../snapshots/dataset-tables.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf, type SnapshotData } from "./snapshot-data.ts";
import { NO_PARAMETERS } from "./parameters.ts";

/** GET /overfitting-index */
export const overfittingIndex = readEndpoint({
  path: "/overfitting-index",
  operationId: "getOverfittingIndex",
  tag: "Overfitting",
  summary: "How far the best backtest can be trusted, month by month",
  description:
    "The Crypto Overfitting Index: 0 when the ranking of strategies in one period persists in the next, 50 when picking the best backtest is a " +
    "coin flip, above 50 when it misleads. Neighbouring months share 35 of their 36 months of data: compare months at least a year apart.",
  query: NO_PARAMETERS,
  data: OverfittingIndex,
  rows: ({ history }) => tableOf("history", IndexMonth, history),
  examples: { "all months": {} },
  resolve: () => ({}),
  answer(snapshot) {
    const { publicUrl = "" } = snapshot;
    const { months, luck } = judgedOf(snapshot.overfittingIndex, snapshot.overfittingIndexDraws);
    const newest = snapshot.dataset.about.version; // the dataset always belongs to the newest month
    const current = months.find((month) => month["month"] === newest);
    return { origin: originOf(snapshot), current, months, luck, publicUrl };
  },
});

/** Each month compared with the values that luck alone gives it, and all months with the most extreme of that many. */
function judgedOf(
  rows: SnapshotData["overfittingIndex"],
  drawn: SnapshotData["overfittingIndexDraws"],
) {
  const luck = indexLuck(
    rows.map((row) => ({
      value: Number(row["value"] ?? NaN),
      draws: drawn.get(String(row["month"])) ?? [],
    })),
  );
  const months = rows.map((row, index): Row => {
    const deviations = luck.deviations[index]!; // one for each month
    const standsOut = Number.isNaN(deviations) ? null : Math.abs(deviations) > luck.bar;
    return { ...row, deviations, stands_out: standsOut };
  });
  return { months, luck };
}
