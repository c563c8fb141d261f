import { scaleBand, scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import { Figure, HorizontalGrid, round, type Size } from "../charts/chart.tsx";
import { Table } from "../table.tsx";
import type { CallsRow } from "./account-data.ts";
import { count, counted } from "./words.ts";

/** One endpoint has one colour; those beyond are one more. */
const COLOURS = ["accent", "skill", "luck", "context"] as const;
const TICKS = 4;

interface Series {
  readonly name: string;
  readonly colour: (typeof COLOURS)[number];
  /** Calls of each day. */
  readonly calls: readonly number[];
}

/** Calls by day and endpoint: bars, their table, and the file. */
export function CallsFigure({ rows, days }: CallsProps): VNode {
  const series = seriesOf(rows, days);
  const total = rows.reduce((sum, { calls }) => sum + calls, 0);
  if (total === 0) return <p>No charged call this month yet.</p>;
  const names = series.map(({ name }) => name).join(", ");
  const drawing = {
    title: `${counted(total, "call")} this month`,
    subtitle: "Charged calls a day (UTC), by endpoint",
    description: `${counted(total, "call")} to ${names}.`,
    isSynthetic: false,
    draw: (size: Size) => <Bars size={size} series={series} days={days} />,
    width: 1040,
    height: 260,
    narrowHeight: 240,
  };
  return (
    <>
      <Figure drawing={drawing} table={<CallsTable rows={rows} />} />
      <ul class="legend">
        {series.map(({ name, colour }) => (
          <li key={name}>
            <svg width="12" height="12" class="chart" aria-hidden="true">
              <rect width="12" height="12" rx="2" class={`fill-${colour}`} />
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
        { name: "calls", cell: ({ calls }) => count(calls) },
        { name: "units", cell: ({ units }) => count(units) },
      ]}
    />
  );
}

/** The endpoints with the most calls; what is beyond the colours is "others". */
function seriesOf(rows: readonly CallsRow[], days: readonly string[]): readonly Series[] {
  const totals = new Map<string, number>();
  for (const { endpoint, calls } of rows) {
    totals.set(endpoint, (totals.get(endpoint) ?? 0) + calls);
  }
  const names = [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const own = names.length > COLOURS.length ? names.slice(0, COLOURS.length - 1) : names;
  const others = names.slice(own.length);
  const callsOf = (endpoints: readonly string[]) =>
    days.map((day) =>
      rows
        .filter((row) => row.day === day && endpoints.includes(row.endpoint))
        .reduce((sum, { calls }) => sum + calls, 0),
    );
  const groups = own.map((name) => [name, [name]] as const);
  const all = others.length > 0 ? [...groups, ["others", others] as const] : groups;
  return all.map(([name, endpoints], at) => {
    return { name, colour: COLOURS[at] ?? "context", calls: callsOf(endpoints) };
  });
}

function Bars({
  size,
  series,
  days,
}: {
  readonly size: Size;
  readonly series: readonly Series[];
  readonly days: readonly string[];
}): VNode {
  const plot = { left: 52, right: size.width - 8, top: 14, bottom: size.height - 28 };
  const sums = days.map((_, day) => series.reduce((sum, { calls }) => sum + calls[day]!, 0));
  const x = scaleBand([...days], [plot.left, plot.right]).paddingInner(0.25);
  const y = scaleLinear([0, Math.max(4, ...sums)], [plot.bottom, plot.top]).nice(TICKS);
  const step = size.isNarrow ? 7 : 2;
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(TICKS)} y={y} label={count} />
      {days.map((day, at) => (
        <g key={day}>
          {stackOf(series, at).map(({ colour, from, to }) => (
            <rect
              key={colour}
              x={round(x(day) ?? 0)}
              width={round(x.bandwidth())}
              y={round(y(to))}
              height={round(y(from) - y(to))}
              class={`fill-${colour}`}
            />
          ))}
          {at % step === 0 && (
            <text
              x={round((x(day) ?? 0) + x.bandwidth() / 2)}
              y={size.height - 8}
              text-anchor="middle"
            >
              {Number(day.slice(8))}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

function stackOf(series: readonly Series[], day: number) {
  let from = 0;
  return series.flatMap(({ colour, calls }) => {
    const value = calls[day]!; // each has every day
    const part = { colour, from, to: from + value };
    from += value;
    return value > 0 ? [part] : [];
  });
}
