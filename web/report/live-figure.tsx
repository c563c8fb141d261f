import { least } from "d3-array";
import type { VNode } from "preact";
import type { CheckLive } from "../../api/check-live.ts";
import type { JudgedSeries } from "../../check/check-file.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { Figure } from "../charts/chart.tsx";
import { liveChart } from "../charts/live-chart.tsx";
import { variance } from "../../quant/sample-statistics.ts";
import { decimal } from "../format.ts";
import { Table } from "../table.tsx";

export interface LiveProps {
  readonly live: CheckLive;
  readonly series: JudgedSeries;
  /** The variant that was judged. */
  readonly selected: string | null;
  readonly isSynthetic: boolean;
}

/** What the account begins with, and what is left of it at the least. */
const START = 10_000;
const LOST = 1e-6;

/** How many of 100 sound strategies the others' line condemns in 3 years of daily looks, by the variants tried. */
const CONDEMNED = [
  [1, 39],
  [13, 81],
  [200, 97],
] as const;

type Drawn = Pick<LiveProps, "live" | "series" | "isSynthetic">;

/** The account beside what was promised, and its lines. */
export function liveDrawing({ live, series, isSynthetic }: Drawn) {
  const { picture, verdict, first } = live;
  const { account, sums, balanceAt } = accountOf(series);
  const balances = (values: readonly (number | null)[] | undefined) =>
    values?.map((value, at) => balanceAt(picture.day[at]!, value ?? NaN)); // one value per day
  const fan = verdict.value === "no_claim" ? null : picture.fan; // nothing is claimed, so nothing is expected
  const lines = {
    day: picture.day,
    live: balances(picture.live_pct),
    fan: fan && {
      p5: balances(fan.p5)!,
      p25: balances(fan.p25)!,
      p50: balances(fan.p50)!,
      p75: balances(fan.p75)!,
      p95: balances(fan.p95)!,
    },
    stop: balances(picture.stop_line_pct ?? undefined),
    others: balances(picture.others_line_pct ?? undefined),
  };
  const reached = reachedOn(live);
  const stopDay = verdict.value.startsWith("stop") && reached ? dayAt(series, reached) : undefined;
  const now = decimal(account.at(-1), 0);
  const words = {
    title: pictureTitle(live, sums.at(-1)!),
    subtitle:
      fan === null
        ? "An account of 10,000 since the first live day, on a logarithmic scale"
        : "An account of 10,000 since the first live day, on a logarithmic scale. Pale: what 9 of 10 strategies as good as claimed would show; darker: half of them",
    description: `From 10,000 on ${first} to ${now} on day ${sums.length}.`,
    isSynthetic,
  };
  return { lines, drawing: liveChart(lines, { account, stopDay }, words) };
}

/** The live days beside what was promised, and as a table. */
export function liveFigure(props: LiveProps): VNode {
  const { lines, drawing } = liveDrawing(props);
  const { picture, claim } = props.live;
  const column = (name: string, values: readonly number[] | undefined) => ({
    name,
    cell: (at: number) => decimal(values?.[at], 0),
  });
  const table = (
    <Table
      label="An account of 10,000 by live day"
      columns={[
        { name: "day", cell: (at) => picture.day[at] },
        column("live", lines.live),
        column("as claimed", lines.fan?.p50),
        column("stop line", lines.stop),
      ]}
      rows={[...picture.day.keys()].filter((at) => at % 5 === 4)}
    />
  );
  const source = picture.others_line_pct === null ? undefined : othersWords(claim.n_trials.value);
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
  if (verdict.value === "no_claim" || p5 === undefined || p95 === undefined)
    return "The live record";
  if (now < (p5[at] ?? -Infinity)) return "The live record is below what the claim leads to expect";
  if (now > (p95[at] ?? Infinity)) return "The live record is above what the claim leads to expect";
  return "The live record is within what the claim leads to expect";
}

/**
 * The balance of every live day, and that of a sum of daily returns in percent on a day. A sum is turned into a balance
 * by what compounding has cost the record so far, and half a variance for each day to come, so a line is reached in
 * balances on the day on which it is reached in sums.
 */
function accountOf({ returns }: JudgedSeries) {
  let [balance, sum] = [START, 0];
  const account = Array.from(returns, (value) => (balance *= Math.max(LOST, 1 + value)));
  const sums = Array.from(returns, (value) => (sum += 100 * value));
  const drag = returns.length > 1 ? variance(returns) / 2 : 0;
  const balanceAt = (day: number, percent: number) => {
    const at = Math.min(day, returns.length) - 1;
    const more = (percent - sums[at]!) / 100 - (day - 1 - at) * drag;
    return account[at]! * Math.exp(more);
  };
  return { account, sums, balanceAt };
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
    case "below":
    case "open":
      return null;
  }
}

/** The number of a date in the live record, counted from 1. */
function dayAt({ instants }: JudgedSeries, date: string): number {
  return instants.indexOf(dayOfDate(date)! * DAY_SECONDS) + 1; // the report's dates are valid
}
