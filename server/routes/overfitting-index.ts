import { IndexMonth, OverfittingIndex } from "../../api/overfitting-index.ts";
import { tableOf } from "../../api/table.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf } from "./origin.ts";
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
    const { overfittingIndex: months, publicUrl = "" } = snapshot;
    const newest = snapshot.dataset.about.version; // the dataset always belongs to the newest month
    const current = months.find((month) => month["month"] === newest);
    return { origin: originOf(snapshot), current, months, publicUrl };
  },
});
