import { nice } from "d3-array";
import type { VNode } from "preact";
import type { ColumnPreview, Jump } from "../../check/formats/export.ts";
import { Figure, type Size } from "../charts/chart.tsx";
import { column, label, line, round, type Mark } from "../charts/marks.tsx";
import { plot } from "../charts/plot.tsx";
import { Table } from "../table.tsx";
import { count, signedDecimal, signedPercent, significant } from "../format.ts";

interface JumpsProps {
  readonly jumps: readonly Jump[];
  /** How many the table has. */
  readonly rows: number;
  readonly column: ColumnPreview | undefined;
}

/** The steps that look like deposits, on a picture of their column and as a table. */
export function Jumps({ jumps, rows, column: preview }: JumpsProps): VNode {
  const table = (
    <Table
      label="Jumps"
      columns={[
        { name: "day", cell: ({ day }) => day },
        { name: "jump", cell: ({ amount }) => amountOf(amount) },
        {
          name: "of the account",
          cell: ({ share }) => signedPercent(100 * share, Math.abs(share) < 0.1 ? 1 : 0),
        },
      ]}
      rows={jumps}
    />
  );
  if (preview === undefined || preview.line.length < 2) return table;
  const out = jumps.some(({ amount }) => amount < 0) ? ", ▴ what went out" : "";
  const drawing = {
    title: `${preview.name}, with its jumps`,
    subtitle: `From the first row to the last; ▾ marks what came in${out}.`,
    description: `It goes from ${preview.first} to ${preview.last}. The table lists the jumps.`,
    isSynthetic: false,
    draw: (size: Size) => drawJumps(size, jumps, rows, preview.line),
  };
  const size = { width: 572, height: 218, narrowHeight: 210 };
  return <Figure drawing={{ ...drawing, ...size }} table={table} />;
}

function amountOf(amount: number): string {
  const size = Math.abs(amount);
  return signedDecimal(amount, size >= 1000 ? 0 : size >= 1 ? 2 : 4);
}

function drawJumps(
  size: Size,
  jumps: readonly Jump[],
  rows: number,
  values: readonly number[],
): VNode {
  const last = values.length - 1;
  const marked = jumps.map((jump) => {
    const at = (last * Math.min(jump.row, rows - 1)) / Math.max(1, rows - 1);
    return { ...jump, at, value: values[Math.ceil(at)]! }; // the row is one of the table
  });
  const first = marked[0]!; // a question about jumps has at least one
  const name = `${jumps.length === 1 ? "the jump" : "the first"}: ${amountOf(first.amount)}`;
  const span = nice(Math.min(0, ...values), Math.max(0, ...values), 3);
  const days = first === marked.at(-1) ? [first] : [first, marked.at(-1)!];
  const arrows: Mark = ({ x, y }) => {
    const shape = marked.map(({ at, value, row, amount }) => {
      const [left, up] = [round(x(at)), round(y(value))];
      const d = amount > 0 ? `M${left},${up - 7}l5,-8h-10Z` : `M${left},${up + 7}l5,8h-10Z`;
      return <path key={row} d={d} class="fill-luck" />;
    });
    return { shape };
  };
  return plot(
    {
      size,
      x: { span: [0, last], ticks: days.map(({ at, day }) => ({ at, text: day })) },
      y: { span, count: 3, text: tickOf },
      box: { top: 34 },
    },
    [
      line("line thin stroke-accent", ...column(values)),
      arrows,
      label(name, { tone: "luck", sides: ["nw", "ne", "n"], gap: 17 }, [first.at, first.value]),
    ],
  );
}

const tickOf = (value: number) => (Math.abs(value) < 1e6 ? significant(value) : count(value));
