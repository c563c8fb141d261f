import { monthText, type Month } from "../../quant/month.ts";
import {
  RATING_WORTH_METHOD,
  type ClassWorth,
  type RatedCoin,
  type RatingWorth,
} from "../../quant/signals/rating-worth.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, valueAt } from "./table.ts";

/** A class with what all classes share. */
interface PlacedClass {
  readonly month: Month;
  readonly worth: RatingWorth;
  readonly of: ClassWorth;
}

const COLUMNS: readonly ComputedColumn<PlacedClass>[] = [
  computed(
    ["rating", "text"],
    "strong_sell, sell, neutral, buy or strong_buy",
    ({ of }) => of.rating,
  ),
  computed(["month", "text"], "YYYY-MM: prices up to its last day", ({ month }) =>
    monthText(month),
  ),
  computed(["method", "integer"], "number of the method", () => RATING_WORTH_METHOD),
  computed(
    ["observations", "integer"],
    "coins times days with this rating and 30 days after it",
    ({ of }) => of.observations,
  ),
  computed(
    ["mean_return", "double", "fraction"],
    "mean return of the 30 days after",
    ({ of }) => of.meanReturn,
  ),
  computed(
    ["mean_excess", "double", "fraction"],
    "mean of that return less the mean of the board's coins over the same 30 days",
    ({ of }) => of.meanExcess,
  ),
  computed(
    ["share_above", "double", "fraction"],
    "share of the observations above the board's mean",
    ({ of }) => of.shareAbove,
  ),
  computed(
    ["low", "double", "fraction"],
    "5 % of the shifts have a lower mean_excess",
    ({ of }) => of.low,
  ),
  computed(["high", "double", "fraction"], "95 % of them have a lower one", ({ of }) => of.high),
  computed(
    ["deviations", "double", "deviations"],
    "mean_excess less the mean of the shifts, in their sample standard deviations",
    ({ of }) => of.deviations,
  ),
  computed(
    ["bar", "double", "deviations"],
    "95 % of the shifts have a lower maximum of the absolute deviations of all classes; of all rows",
    ({ worth }) => worth.bar,
  ),
  computed(
    ["p", "double", "fraction"],
    "(1 + shifts whose maximum is as large) / (1 + shifts), of all rows",
    ({ worth }) => worth.p,
  ),
  computed(
    ["shifts", "integer"],
    "circular shifts of all ratings together, by at least 90 days",
    ({ worth }) => worth.shifts,
  ),
  computed(["coins", "integer"], "coins with prices", ({ worth }) => worth.coins),
  computed(["first_day", "date"], "first day of any of them", ({ worth }) => worth.firstDay),
  computed(["last_day", "date"], "last day of the month", ({ worth }) => worth.lastDay),
];

export const RATING_WORTH: Table = {
  name: "rating_worth",
  description:
    "What came after each class of the technical rating: the return of the next 30 days beside the board's, with what luck shows. Made once a month with the dataset. Empty where the history is too short.",
  key: ["rating"],
  arrow: true,
  columns: definitionsOf(COLUMNS),
};

export const RATING_RETURNS: Table = {
  name: "rating_returns",
  description:
    "The score of the technical rating on every day and what followed, which rating_worth is computed from; made with it.",
  key: ["coin", "day"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["day", "date"], "UTC day of the rating, at its close"),
    column(["score", "double", "fraction"], "score of the rating, -1 all sell to 1 all buy"),
    column(
      ["return_30d", "double", "fraction"],
      "change of the close over the 30 days after; NULL where they are not over by the month's end",
    ),
  ],
};

export function ratingWorthBlock(month: Month, worth: RatingWorth): TableBlock {
  const rows = worth.classes.map((of) => ({ month, worth, of }));
  return { rows: rows.length, columns: rowsOf(COLUMNS, rows) };
}

export function ratingReturnsBlock(coin: string, rated: RatedCoin): TableBlock {
  const rows = rated.scores.length;
  const day = Int32Array.from({ length: rows }, (_, row) => rated.firstDay + row);
  const columns = {
    score: Float64Array.from(rated.scores),
    return_30d: Float64Array.from(rated.returns),
  };
  return { rows, columns: { coin, day, ...columns } };
}

/** Whether a block is of that month, by the method of today. */
export function isRatingWorth(block: TableBlock, month: Month): boolean {
  return (
    block.rows > 0 &&
    valueAt(block, "month", 0) === monthText(month) &&
    valueAt(block, "method", 0) === RATING_WORTH_METHOD
  );
}
