import type { VNode } from "preact";
import type { JudgedSeries } from "../../check/check-file.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { Figure } from "../charts/chart.tsx";
import { deepestOf, equityChart, type EquityPoint } from "../charts/equity-chart.tsx";
import { decimal, share, signedPercent, significant } from "../format.ts";
import { Table } from "../table.tsx";

const POINTS_MAX = 400;
const ROWS_MAX = 24;

/** The account of the variant that was judged. */
export function EquitySection({
  series,
  isSynthetic,
}: {
  readonly series: JudgedSeries;
  readonly isSynthetic: boolean;
}): VNode {
  const all = equityPoints(series);
  const [first, last] = [all[0]!, all.at(-1)!]; // a panel has ten bars at least
  const deepest = share(deepestOf(all) / 100, 1);
  const drawing = equityChart(thinned(all, POINTS_MAX), {
    title: `It ended at ${decimal(last.growth, 2)} times its start, with a fall of ${deepest} on the way`,
    subtitle: `Growth of 1, and how far it was below its high; ${first.date} to ${last.date}`,
    description: `From 1 on ${first.date} to ${significant(last.growth)} on ${last.date}; the deepest fall was ${deepest}.`,
    isSynthetic,
  });
  return (
    <section aria-label="The account">
      <Figure
        drawing={drawing}
        table={
          <Table
            label="Growth of 1 and drawdown by date"
            columns={[
              { name: "date", cell: ({ date }) => date },
              { name: "growth of 1", cell: ({ growth }) => significant(growth) },
              { name: "below its high", cell: ({ drawdown }) => signedPercent(drawdown) },
            ]}
            rows={thinned(all, ROWS_MAX)}
          />
        }
      />
    </section>
  );
}

export function equityPoints({ instants, returns }: JudgedSeries): EquityPoint[] {
  let [growth, peak] = [1, 1];
  return Array.from(returns, (value, row) => {
    growth *= 1 + value;
    peak = Math.max(peak, growth);
    const date = dateOfDay(Math.floor(instants[row]! / DAY_SECONDS)); // as many instants as returns
    return { date, growth, drawdown: 100 * (growth / peak - 1) };
  });
}

/** Evenly thinned; the last point and the deepest one stay. */
function thinned(points: readonly EquityPoint[], most: number): EquityPoint[] {
  const step = Math.max(1, Math.ceil(points.length / most));
  let deepest = 0;
  for (const [place, { drawdown }] of points.entries()) {
    if (drawdown < points[deepest]!.drawdown) deepest = place;
  }
  return points.filter(
    (_, place) => place % step === 0 || place === deepest || place === points.length - 1,
  );
}
