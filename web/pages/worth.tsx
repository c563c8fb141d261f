import type { RatingClass, RatingWorth } from "../../api/rating-worth.ts";
import type { VNode } from "preact";
import type { ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { decimal, ratingWords, share, signedPercent } from "../format.ts";
import { Table } from "../table.tsx";

/** The classes whose excess luck does not explain. */
function beyondLuck({ classes }: RatingWorth): readonly RatingClass[] {
  return classes.filter(({ beyond_luck: is }) => is);
}

const DIGITS = 1;

/** What the rating was worth afterwards, as the headline of the board. */
export function worthTitle(worth: RatingWorth): string {
  if (worth.basis === null) return "What the rating was worth is not known yet";
  const [told, ...others] = beyondLuck(worth);
  if (told === undefined) return "The rating was worth nothing that luck doesn’t explain";
  if (others.length > 0) {
    const names = [told, ...others].map(({ rating }) => `“${ratingWords(rating)}”`);
    return `Of five ratings, ${names.join(" and ")} were worth more than luck explains`;
  }
  const points = Math.abs(told.mean_excess_pct ?? NaN);
  const side = (told.mean_excess_pct ?? 0) > 0 ? "more" : "less";
  return `After “${ratingWords(told.rating)}”, coins made ${decimal(points, DIGITS)} points ${side} than the board in 30 days; the other ratings can’t be told from luck`;
}

/** The sentence below the headline: how often luck does as much. */
export function worthSentence(worth: RatingWorth): string {
  const { basis } = worth;
  if (basis === null) return "The history is too short to say what came after a rating.";
  const often = Math.max(1, Math.round(100 * (basis.p ?? 1)));
  const [told] = beyondLuck(worth);
  const shares = worth.classes.map(({ share_above: above }) => above ?? NaN);
  const range = `${share(Math.min(...shares))} to ${share(Math.max(...shares))}`;
  const luck = `The largest of the five differences is one that luck makes ${often} times in 100.`;
  if (told === undefined)
    return `In the 30 days after a rating, coins did as the board did, whatever it was. ${luck} Each class beat the board’s mean ${range} of the time.`;
  return `${luck} Only ${share(told.share_above)} of these coins and days beat the board’s mean, as after any rating (${range}): a few large gains make the difference. Costs are not taken off.`;
}

/** The excess return of each class, beside where luck puts it. */
export function worthChart(worth: RatingWorth): ChartParts | null {
  const { basis, classes } = worth;
  if (basis === null) return null;
  const rows = classes.map((of) => ({
    name: ratingWords(of.rating),
    before: null,
    after: of.mean_excess_pct,
    range: [of.low_pct ?? NaN, of.high_pct ?? NaN] as const,
    isGood: of.beyond_luck,
  }));
  const drawing = rowChart(rows, {
    title: "What came after each rating, beside luck",
    subtitle:
      "Return of the next 30 days less the board’s, in points; bar: where 9 of 10 shifts of the ratings in time put it",
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
        { name: "30 days after", cell: (of) => signedPercent(of.mean_return_pct) },
        { name: "less the board", cell: (of) => signedPercent(of.mean_excess_pct) },
        { name: "luck from", cell: (of) => signedPercent(of.low_pct) },
        { name: "to", cell: (of) => signedPercent(of.high_pct) },
        { name: "beat the board", cell: (of) => share(of.share_above) },
        { name: "coins × days", cell: (of) => decimal(of.observations, 0) },
      ]}
      rows={classes}
    />
  );
}
