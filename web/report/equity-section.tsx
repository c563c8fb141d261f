import { leastIndex, max } from "d3-array";
import type { VNode } from "preact";
import type { CheckReport } from "../../api/check-report.ts";
import type { JudgedSeries } from "../../check/check-file.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { Figure } from "../charts/chart.tsx";
import { equityChart, type EquityPoint } from "../charts/equity-chart.tsx";
import { decimal, share, signedPercent, significant } from "../format.ts";
import { Table, type Column } from "../table.tsx";
import { asSentence, choiceWords, marketName } from "./words.ts";

const POINTS_MAX = 400;
const ROWS_MAX = 24;

/**
 * The account of the variant that was judged, beside the market where it is known. The title says what it was chosen from:
 * the best of several looks good by luck alone.
 */
export function equityFigure(
  series: JudgedSeries,
  input: CheckReport["input"],
  isSynthetic: boolean,
): VNode {
  const all = equityPoints(series);
  const [first, last] = [all[0]!, all.at(-1)!]; // a panel has ten bars at least
  const deepest = share((max(all, ({ drawdown }) => -drawdown) ?? 0) / 100, 1);
  const heldName = series.held && marketName(series.held.name);
  const laterName = series.later?.name;
  const chosen = choiceWords(input);
  const became =
    heldName === undefined
      ? `1,000 became ${decimal(1000 * last.growth, 0)}, with a fall of ${deepest} on the way`
      : laterName === undefined
        ? "what 1,000 became, yours and held"
        : `what 1,000 became, and if it acted ${laterName.replace("one", "a")}`;
  const drawing = equityChart(thinned(all, POINTS_MAX), {
    title: asSentence(chosen === undefined ? became : `${chosen}: ${became}`).slice(0, -1), // a title has no full stop
    subtitle: `${first.date} to ${last.date}; below, how far it was under its high`,
    heldName,
    laterName,
    description: `From 1 on ${first.date} to ${significant(last.growth)} on ${last.date}; the deepest fall was ${deepest}.`,
    isSynthetic,
  });
  const market: Column<EquityPoint> = {
    name: `held in ${heldName}`,
    cell: ({ held }) => significant(held === undefined ? null : 1000 * held),
  };
  const later: Column<EquityPoint> = {
    name: laterName ?? "",
    cell: ({ later: growth }) => significant(growth === undefined ? null : 1000 * growth),
  };
  const table = (
    <Table
      label="Growth of 1 and drawdown by date"
      columns={[
        { name: "date", cell: ({ date }) => date },
        { name: "1,000 became", cell: ({ growth }) => significant(1000 * growth) },
        ...(heldName === undefined ? [] : [market]),
        ...(laterName === undefined ? [] : [later]),
        { name: "below its high", cell: ({ drawdown }) => signedPercent(drawdown) },
      ]}
      rows={thinned(all, ROWS_MAX)}
    />
  );
  return <Figure drawing={drawing} table={table} />;
}

export function equityPoints({ instants, returns, held, later }: JudgedSeries): EquityPoint[] {
  let [growth, peak, market, late] = [1, 1, 1, 1];
  return Array.from(returns, (value, row) => {
    if (held !== undefined && row === held.from) market = late = growth; // it starts with what the account then has
    growth *= 1 + value;
    peak = Math.max(peak, growth);
    const step = held?.returns[row - held.from];
    if (step !== undefined) market *= 1 + step;
    if (step !== undefined && later !== undefined) late *= 1 + later.returns[row - held!.from]!;
    const date = dateOfDay(Math.floor(instants[row]! / DAY_SECONDS)); // one instant per return
    const point = { date, growth, drawdown: 100 * (growth / peak - 1) };
    return step === undefined ? point : { ...point, held: market, later: later && late };
  });
}

/** Evenly thinned; the last point and the deepest one stay. */
function thinned(points: readonly EquityPoint[], most: number): EquityPoint[] {
  const step = Math.max(1, Math.ceil(points.length / most));
  const deepest = leastIndex(points, (a, b) => a.drawdown - b.drawdown);
  return points.filter(
    (_, place) => place % step === 0 || place === deepest || place === points.length - 1,
  );
}
