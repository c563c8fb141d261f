import { least } from "d3-array";
import type { VNode } from "preact";
import type { CheckLive } from "../../api/check-live.ts";
import type { JudgedSeries } from "../../check/check-file.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { Figure } from "../charts/chart.tsx";
import { liveChart } from "../charts/live-chart.tsx";
import { signedPercent } from "../format.ts";
import { Table } from "../table.tsx";

export interface LiveProps {
  readonly live: CheckLive;
  readonly series: JudgedSeries;
  /** The variant that was judged. */
  readonly selected: string | null;
  readonly isSynthetic: boolean;
}

/** How many of 100 sound strategies the others' line condemns in 3 years of daily looks, by the variants tried. */
const CONDEMNED = [
  [1, 39],
  [13, 81],
  [200, 97],
] as const;

/** The live days beside what was promised. */
export function liveFigure({ live, series, isSynthetic }: LiveProps): VNode {
  const { picture, verdict, claim, first } = live;
  const sums = sumsOf(series);
  const reached = reachedOn(live);
  const stopDay = verdict.value.startsWith("stop") && reached ? dayAt(series, reached) : undefined;
  const now = signedPercent(sums.at(-1)!, 0); // there is a live day
  const words = {
    title: pictureTitle(live, sums.at(-1)!),
    subtitle:
      picture.fan === null
        ? "Sum of daily returns since the first live day"
        : "Sum of daily returns since the first live day. Pale: what 9 of 10 strategies as good as claimed would show; darker: half of them",
    description: `From 0 on ${first} to ${now} on day ${sums.length}.`,
    isSynthetic,
  };
  const column = (name: string, values: readonly (number | null)[] | undefined) => ({
    name,
    cell: (at: number) => signedPercent(values?.[at]),
  });
  const table = (
    <Table
      label="Sums of daily returns in percent, by live day"
      columns={[
        { name: "day", cell: (at) => picture.day[at] },
        column("live", picture.live_pct),
        column("as claimed", picture.fan?.p50),
        column("stop line", picture.stop_line_pct ?? undefined),
      ]}
      rows={[...picture.day.keys()].filter((at) => at % 5 === 4)}
    />
  );
  const source = picture.others_line_pct === null ? undefined : othersWords(claim.n_trials.value);
  const drawing = liveChart(picture, { sums, stopDay }, words);
  return <Figure drawing={drawing} source={source} table={table} />;
}

function othersWords(trials: number): string {
  const [tries, share] = least(CONDEMNED, ([tried]) => Math.abs(Math.log(tried / trials)))!; // there are three
  const of = tries === 1 ? "one variant was" : `${tries} variants were`;
  return `Dashed, the line that others draw: looked at every day, it condemns ${share} of 100 sound strategies within 3 years, if ${of} tried.`;
}

function pictureTitle({ verdict, picture, days }: CheckLive, now: number): string {
  if (verdict.value === "stop_contradicted") return "The live record has reached the stop line";
  if (verdict.value === "stop_loses") return "The live record shows a loss of its own";
  const at = picture.day.indexOf(days);
  const { p5, p95 } = picture.fan ?? {};
  if (p5 === undefined || p95 === undefined) return "The live record";
  if (now < (p5[at] ?? -Infinity)) return "The live record is below what the claim leads to expect";
  if (now > (p95[at] ?? Infinity)) return "The live record is above what the claim leads to expect";
  return "The live record is within what the claim leads to expect";
}

function sumsOf({ returns }: JudgedSeries): readonly number[] {
  let sum = 0;
  return Array.from(returns, (value) => (sum += 100 * value));
}

/** The date on which the verdict was reached; null for a verdict that no single day decides. */
export function reachedOn({ verdict, stop, holds, decay }: CheckLive): string | null {
  switch (verdict.value) {
    case "stop_loses":
      return stop.loses.reached_on;
    case "stop_contradicted":
      return stop.contradiction.reached_on;
    case "holds":
      return holds.reached_on;
    case "decayed":
      return decay.reached_on;
    case "withheld":
    case "too_early":
    case "no_claim":
    case "open":
      return null;
  }
}

/** The number of a date in the live record, counted from 1. */
function dayAt({ instants }: JudgedSeries, date: string): number {
  return instants.indexOf(dayOfDate(date)! * DAY_SECONDS) + 1; // the report's dates are valid
}
