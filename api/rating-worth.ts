import { attribution, type Attributed } from "./attribution.ts";
import { numberIn, type Cells } from "./cells.ts";
import { date, flag, int, list, number, object, percent, text } from "./members.ts";
import { record, rowRecord, type Json } from "./record.ts";

const WithoutCoin = rowRecord()({
  coin: text("the coin without which the mean excess is nearest to zero, or farthest beyond it"),
  mean_excess_pct: percent.orNull("the mean excess without it", (row: Cells) =>
    numberIn(row, "mean_excess_without_coin"),
  ),
});

const WithoutYear = rowRecord()({
  year: int("the calendar year of which the same is true"),
  mean_excess_pct: percent.orNull("the mean excess without it", (row: Cells) =>
    numberIn(row, "mean_excess_without_year"),
  ),
});

/** One class, from its row of the table. */
export const RatingClass = rowRecord({
  id: "RatingClass",
  description: "What came after one class of the technical rating.",
})({
  rating: text("strong_sell, sell, neutral, buy or strong_buy"),
  observations: int("coins times days with this rating and 30 days after it"),
  mean_return_pct: percent.orNull("mean return of the 30 days after", (row: Cells) =>
    numberIn(row, "mean_return"),
  ),
  mean_excess_pct: percent.orNull(
    "mean of that return less the mean of the board's coins over the same 30 days",
    (row: Cells) => numberIn(row, "mean_excess"),
  ),
  median_excess_pct: percent.orNull("median of the same", (row: Cells) =>
    numberIn(row, "median_excess"),
  ),
  share_above: number.orNull("share of the observations above the board's mean"),
  low_pct: percent.orNull(
    "5 % of the shifts of the ratings in time have a lower mean excess",
    (row: Cells) => numberIn(row, "low"),
  ),
  high_pct: percent.orNull("95 % of them have a lower one", (row: Cells) => numberIn(row, "high")),
  deviations: number.orNull("mean excess less the mean of the shifts, in their deviations"),
  without_coin: object(WithoutCoin)("", (row: Cells) => row),
  without_year: object(WithoutYear)("", (row: Cells) => row),
  beyond_luck: flag(
    "whether that is beyond `bar`, which holds for all classes together",
    (row: Cells) => Math.abs(numberIn(row, "deviations")) > numberIn(row, "bar"),
  ),
});

/** What all classes share. Every row has it, because all rows are of one month. */
const Basis = rowRecord()({
  month: text("YYYY-MM: prices up to its last day"),
  first_day: date("first day of any coin"),
  last_day: date("last day of the month"),
  coins: int("coins with prices"),
  shifts: int("circular shifts of all ratings together, by at least 90 days"),
  bar: number.orNull("95 % of the shifts have a lower maximum of the deviations of all classes"),
  p: number.orNull("(1 + shifts whose maximum is as large) / (1 + shifts)"),
  p_half: number.orNull("the same with every other shift"),
  p_twice: number.orNull("the same with twice as many shifts"),
});

interface Worth extends Attributed {
  readonly classes: readonly Cells[];
}

/** `GET /rating-worth` */
export const RatingWorth = record<Worth>()({
  attribution,
  basis: object(Basis).orNull("what it was computed from", ({ classes }: Worth) => classes[0]),
  classes: list(RatingClass)("by class, strong sell first; empty where the history is too short"),
});

export type RatingWorth = Json<typeof RatingWorth>;
export type RatingClass = Json<typeof RatingClass>;
