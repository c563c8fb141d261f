import { monthText, type Month } from "../../quant/month.ts";
import { RATING_WORTH_METHOD } from "../../quant/signals/rating-worth.ts";
import type { ClassWorth, RatedCoin, RatingWorth } from "../../quant/signals/rating-worth.ts";
import { columnsOf, date, double, fraction, integer, listed, rowsOf, text } from "./columns.ts";
import { valueAt, type Table, type TableBlock } from "./table.ts";

/** A class with what all classes share. */
type PlacedClass = ClassWorth & RatingWorth & { readonly month: Month };

const deviations = double("deviations");

const COLUMNS = columnsOf<PlacedClass>()({
  rating: text("strong_sell, sell, neutral, buy or strong_buy"),
  month: text("YYYY-MM: prices up to its last day", ({ month }) => monthText(month)),
  method: integer("number of the method", () => RATING_WORTH_METHOD),
  observations: integer("coins times days with this rating and 30 days after it"),
  mean_return: fraction("mean return of the 30 days after"),
  mean_excess: fraction(
    "mean of that return less the mean of the board's coins over the same 30 days",
  ),
  median_excess: fraction("median of the same"),
  share_above: fraction("share of the observations above the board's mean"),
  low: fraction("5 % of the shifts have a lower mean_excess"),
  high: fraction("95 % of them have a lower one"),
  deviations: deviations(
    "mean_excess less the mean of the shifts, in their sample standard deviations",
  ),
  coin: text("the coin without which mean_excess is nearest to zero, or farthest beyond it"),
  mean_excess_without_coin: fraction("mean_excess without that coin's observations"),
  year: integer("the calendar year of which the same is true"),
  mean_excess_without_year: fraction("mean_excess without that year's observations"),
  bar: deviations(
    "95 % of the shifts have a lower maximum of the absolute deviations of all classes; of all rows",
  ),
  p: fraction("(1 + shifts whose maximum is as large) / (1 + shifts), of all rows"),
  p_half: fraction("the same with every other shift, of all rows"),
  p_twice: fraction("the same with twice as many shifts, of all rows"),
  shifts: integer("circular shifts of all ratings together, by at least 90 days"),
  coins: integer("coins with prices"),
  first_day: date("first day of any of them"),
  last_day: date("last day of the month"),
});

export const RATING_WORTH: Table = {
  name: "rating_worth",
  description:
    "What came after each class of the technical rating: the return of the next 30 days beside the board's, with what luck shows. Made once a month with the dataset. Empty where the history is too short.",
  key: ["rating"],
  arrow: true,
  columns: listed(COLUMNS),
};

export const RATING_RETURNS: Table = {
  name: "rating_returns",
  description:
    "The score of the technical rating on every day and what followed, which rating_worth is computed from; made with it.",
  key: ["coin", "day"],
  arrow: true,
  columns: listed({
    coin: text("lower-case ticker"),
    day: date("UTC day of the rating, at its close"),
    score: fraction("score of the rating, -1 all sell to 1 all buy"),
    return_30d: fraction(
      "change of the close over the 30 days after; NULL where they are not over by the month's end",
    ),
  }),
};

export function ratingWorthBlock(month: Month, worth: RatingWorth): TableBlock {
  return rowsOf(
    COLUMNS,
    worth.classes.map((ratingClass) => ({ ...worth, ...ratingClass, month })),
  );
}

export function ratingReturnsBlock({ coin, ...rated }: RatedCoin): TableBlock {
  const rows = rated.scores.length;
  const columns = {
    coin,
    day: Int32Array.from({ length: rows }, (_, row) => rated.firstDay + row),
    score: Float64Array.from(rated.scores),
    return_30d: Float64Array.from(rated.returns),
  };
  return { rows, columns };
}

/** Whether a block is of that month, by the method of today. */
export function isRatingWorth(block: TableBlock, month: Month): boolean {
  return (
    block.rows > 0 &&
    valueAt(block, "month", 0) === monthText(month) &&
    valueAt(block, "method", 0) === RATING_WORTH_METHOD
  );
}
