import type { RatingClass, RatingWorth } from "../../api/rating-worth.ts";
import type { VNode } from "preact";
import type { ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { claim, plain } from "../claim.ts";
import { decimal, ratingWords, share, signedDecimal, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";

const DIGITS = 1;
const BAR = 0.05;

/** The class that is farthest from luck; undefined where none is known. */
function farthest({ classes }: RatingWorth): RatingClass | undefined {
  const known = classes.filter(({ deviations }) => deviations !== null);
  return known.toSorted((a, b) => Math.abs(b.deviations!) - Math.abs(a.deviations!))[0];
}

/** What the rating was worth afterwards, as the headline of the board and of each coin: the largest of five differences. */
export function worthTitle(worth: RatingWorth): string {
  const { basis } = worth;
  const told = farthest(worth);
  if (basis === null || told === undefined) return "What the rating was worth is not known yet";
  const points = decimal(Math.abs(told.mean_excess_pct ?? NaN), DIGITS);
  const side = (told.mean_excess_pct ?? 0) > 0 ? "more" : "less";
  return claim({
    figure: told.mean_excess_pct,
    null: { p: [basis.p, basis.p_half, basis.p_twice], bar: BAR },
    holds: [told.without_coin.mean_excess_pct, told.without_year.mean_excess_pct],
    sentence: `After “${ratingWords(told.rating)}”, the farthest of five ratings, coins made ${points} points ${side} than the board in 30 days`,
    otherwise: "No rating has told what comes next",
  });
}

/** The sentence below the headline: the largest difference, how often luck does as much, and what it hangs on. */
export function worthSentence(worth: RatingWorth): string {
  const { basis } = worth;
  const told = farthest(worth);
  if (basis === null || told === undefined)
    return "The history is too short to say what came after a rating.";
  const { without_coin: coin, without_year: year } = told;
  const points = (value: number | null) => `${signedDecimal(value, DIGITS)} points`;
  const often = Math.max(1, Math.round(100 * (basis.p ?? 1)));
  return (
    `The largest of five differences followed “${ratingWords(told.rating)}”: ${points(told.mean_excess_pct)} against the board in 30 days. ` +
    `Luck makes one as large ${often} times in 100. Without ${coin.coin.toUpperCase()} it is ${points(coin.mean_excess_pct)}, ` +
    `without ${year.year} ${points(year.mean_excess_pct)}, and the median coin and day made ${points(told.median_excess_pct)}. Costs are not taken off.`
  );
}

/** The excess return of each class, beside where luck puts it. */
export function worthChart(worth: RatingWorth): ChartParts | null {
  const { basis, classes } = worth;
  if (basis === null) return null;
  const rows = classes.map((rated) => ({
    name: ratingWords(rated.rating),
    before: null,
    after: rated.mean_excess_pct,
    range: [rated.low_pct ?? NaN, rated.high_pct ?? NaN] as const,
    isGood: rated.beyond_luck,
  }));
  const drawing = rowChart(rows, {
    title: plain("What came after each rating, beside luck"),
    subtitle:
      "Return of the next 30 days less the board’s, in points; bar: where 9 of 10 shifts of the ratings in time put it; coins of the snapshot’s board: those that died are missing",
    before: undefined,
    after: "after the rating",
    rangeName: "luck",
    digits: DIGITS,
  });
  const source = (
    <>
      {basis.coins} coins, {basis.first_day} to {basis.last_day} ·{" "}
      <a href="/docs/methods/indicators">how it is computed</a>
    </>
  );
  return { drawing, source, table: worthTable(classes) };
}

function worthTable(classes: readonly RatingClass[]): VNode {
  return (
    <Table
      label="What came after each rating"
      columns={[
        { name: "rating", isText: true, cell: ({ rating }) => ratingWords(rating) },
        { name: "30 days after", cell: (rated) => signedPercent(rated.mean_return_pct) },
        { name: "less the board", cell: (rated) => signedPercent(rated.mean_excess_pct) },
        {
          name: "without one coin",
          cell: ({ without_coin: without }) => leftOut(without, without.coin.toUpperCase()),
        },
        {
          name: "without one year",
          cell: ({ without_year: without }) => leftOut(without, String(without.year)),
        },
        { name: "median", cell: (rated) => signedPercent(rated.median_excess_pct) },
        { name: "luck from", cell: (rated) => signedPercent(rated.low_pct) },
        { name: "to", cell: (rated) => signedPercent(rated.high_pct) },
        { name: "beat the board", cell: (rated) => share(rated.share_above) },
        { name: "coins × days", cell: (rated) => decimal(rated.observations, 0) },
      ]}
      rows={classes}
    />
  );
}

/** A mean without the coin or the year that carries most of it. */
const leftOut = (
  { mean_excess_pct: left }: { readonly mean_excess_pct: number | null },
  name: string,
) => `${signedPercent(left)} (${name})`;
