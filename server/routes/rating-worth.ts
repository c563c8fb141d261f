import { cellsOf } from "../../api/cells.ts";
import { RatingClass, RatingWorth } from "../../api/rating-worth.ts";
import { tableOf } from "../../api/table.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf } from "./snapshot-data.ts";
import { NO_PARAMETERS } from "./parameters.ts";

/** GET /rating-worth */
export const ratingWorth = readEndpoint({
  path: "/rating-worth",
  operationId: "getRatingWorth",
  tag: "Market",
  summary: "What the technical rating was worth in the 30 days after",
  description:
    "Of every coin and day with a class of rating: the return of the next 30 days less the mean of the board's coins over the same days, beside what " +
    "500 shifts of all ratings in time give. A class says more than luck only if it is beyond `basis.bar`, the maxima over all classes.",
  query: NO_PARAMETERS,
  data: RatingWorth,
  rows: ({ classes }) => tableOf("classes", RatingClass, classes),
  examples: { "all classes": {} },
  resolve: () => ({}),
  answer: (snapshot) => ({
    origin: originOf(snapshot),
    classes: snapshot.ratingWorth.map(cellsOf),
  }),
});
