import { nice, rollup, rollups, sum } from "d3-array";
import type { VNode } from "preact";
import { Figure, type Size } from "../charts/chart.tsx";
import { cells } from "../charts/marks.tsx";
import { plot } from "../charts/plot.tsx";
import { decimal } from "../format.ts";
import { Table } from "../table.tsx";
import type { CallsRow } from "./account-data.ts";
import { counted } from "./words.ts";

/** One colour an endpoint. With more endpoints than colours, the last colour is that of all the others. */
const COLOURS = ["accent", "skill", "luck", "context"] as const;
const TICKS = 4;

interface Series {
  readonly name: string;
  readonly tone: (typeof COLOURS)[number];
  /** Calls of each day. */
  readonly calls: readonly number[];
}

/** Calls by day and endpoint: stacked bars, their table, and a link to the CSV file. */
export function CallsFigure({ rows, days }: CallsProps): VNode {
  const series = seriesOf(rows, days);
  const total = sum(rows, ({ calls }) => calls);
  if (total === 0) return <p>No charged call this month yet.</p>;
  const names = series.map(({ name }) => name).join(", ");
  const drawing = {
    title: `${counted(total, "call")} this month`,
    subtitle: "Charged calls a day (UTC), by endpoint",
    description: `${counted(total, "call")} to ${names}.`,
    isSynthetic: false,
    draw: (size: Size) => drawBars(size, series, days),
    width: 1040,
    height: 260,
    narrowHeight: 240,
  };
  return (
    <>
      <Figure drawing={drawing} table={<CallsTable rows={rows} />} />
      <ul class="legend">
        {series.map(({ name, tone }) => (
          <li key={name}>
            <svg width="12" height="12" class="chart" aria-hidden="true">
              <rect width="12" height="12" rx="2" class={`fill-${tone}`} />
            </svg>{" "}
            {name}
          </li>
        ))}
        <li>
          <a href="/account/usage.csv">Download as CSV</a>
        </li>
      </ul>
    </>
  );
}

interface CallsProps {
  /** Oldest day first. */
  readonly rows: readonly CallsRow[];
  /** The days of the month. */
  readonly days: readonly string[];
}

function CallsTable({ rows }: Pick<CallsProps, "rows">): VNode {
  return (
    <Table
      label="Calls by day and endpoint"
      rows={rows}
      columns={[
        { name: "day", cell: ({ day }) => day },
        { name: "keys", isText: true, cell: ({ env }) => env },
        { name: "endpoint", isText: true, cell: ({ endpoint }) => endpoint },
        { name: "calls", cell: ({ calls }) => decimal(calls, 0) },
        { name: "units", cell: ({ units }) => decimal(units, 0) },
      ]}
    />
  );
}

/** The endpoints with the most calls first; those without a colour of their own are summed as "others". */
function seriesOf(rows: readonly CallsRow[], days: readonly string[]): readonly Series[] {
  const callsOf = (some: readonly CallsRow[]) => sum(some, ({ calls }) => calls);
  const names = rollups(rows, callsOf, ({ endpoint }) => endpoint)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
  const own = names.length > COLOURS.length ? names.slice(0, COLOURS.length - 1) : names;
  const nameOf = ({ endpoint }: CallsRow) => (own.includes(endpoint) ? endpoint : "others");
  const calls = rollup(rows, callsOf, nameOf, ({ day }) => day);
  const all = own.length < names.length ? [...own, "others"] : own;
  return all.map((name, at) => ({
    name,
    tone: COLOURS[at] ?? "context",
    calls: days.map((day) => calls.get(name)?.get(day) ?? 0),
  }));
}

function drawBars(size: Size, series: readonly Series[], days: readonly string[]): VNode {
  const sums = days.map((_, day) => sum(series, ({ calls }) => calls[day]));
  const ticks = days.map((day, at) => ({ at: at + 0.5, text: String(Number(day.slice(8))) }));
  return plot(
    {
      size,
      x: { span: [0, days.length], ticks },
      y: {
        span: nice(0, Math.max(4, ...sums), TICKS),
        count: TICKS,
        text: (value) => decimal(value, 0),
      },
    },
    [
      cells(
        days.flatMap((_, at) =>
          stackOf(series, at).map(({ tone, from, to }) => {
            return { x: [at + 0.1, at + 0.9], y: [from, to], className: `fill-${tone}` };
          }),
        ),
      ),
    ],
  );
}

function stackOf(series: readonly Series[], day: number) {
  let from = 0;
  return series.flatMap(({ tone, calls }) => {
    const value = calls[day]!; // each has every day
    const part = { tone, from, to: from + value };
    from += value;
    return value > 0 ? [part] : [];
  });
}
