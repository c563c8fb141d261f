import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { VNode } from "preact";
import type { ColumnPreview, Jump } from "../../check/formats/export.ts";
import { Figure, HorizontalGrid, round, type Size } from "../charts/chart.tsx";
import { count, signedDecimal, signedPercent, significant } from "../format.ts";
import { pathOf } from "./check-pick.tsx";

/** Days that are nearer to each other than this have no room for two dates. */
const DATES_APART = 176;

interface JumpsProps {
  readonly jumps: readonly Jump[];
  /** Of the table. */
  readonly rows: number;
  readonly column: ColumnPreview | undefined;
}

/** The steps that look like deposits: on a picture of their column, and as a table. */
export function Jumps({ jumps, rows, column }: JumpsProps): VNode {
  const cells = jumps.map(({ day, amount, share }) => [
    day,
    amountOf(amount),
    signedPercent(100 * share, Math.abs(share) < 0.1 ? 1 : 0),
  ]);
  const table = (
    <table>
      <thead>
        <tr>
          {["day", "jump", "of the account"].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cells.map((row, at) => (
          <tr key={at}>
            {row.map((cell) => (
              <td key={cell}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (column === undefined || column.line.length < 2) return table;
  const out = jumps.some(({ amount }) => amount < 0) ? ", ▴ what went out" : "";
  const drawing = {
    title: `${column.name}, with its jumps`,
    subtitle: `From the first row to the last; ▾ marks what came in${out}.`,
    description: `It goes from ${column.first} to ${column.last}. The table lists the jumps.`,
    isSynthetic: false,
    draw: (size: Size) => drawJumps(size, jumps, rows, column.line),
  };
  const size = { width: 572, height: 218, narrowHeight: 210 };
  return <Figure drawing={{ ...drawing, ...size }} table={table} />;
}

function amountOf(amount: number): string {
  const size = Math.abs(amount);
  return signedDecimal(amount, size >= 1000 ? 0 : size >= 1 ? 2 : 4);
}

function drawJumps(
  { width, height }: Size,
  jumps: readonly Jump[],
  rows: number,
  line: readonly number[],
): VNode {
  const plot = { left: 76, right: width - 12, top: 30, bottom: height - 30 };
  const domain = extent([0, ...line]) as [number, number]; // 0 at least
  const y = scaleLinear(domain, [plot.bottom, plot.top]).nice(3);
  const x = scaleLinear([0, line.length - 1], [plot.left, plot.right]);
  const marks = jumps.map((jump) => {
    const at = ((line.length - 1) * Math.min(jump.row, rows - 1)) / Math.max(1, rows - 1);
    return { ...jump, x: round(x(at)), y: round(y(line[Math.ceil(at)]!)) }; // the row is one of the table
  });
  const [first, last] = [marks[0]!, marks.at(-1)!]; // a question about jumps has one
  const anchor = first.x > width / 2 ? "end" : "start";
  return (
    <g>
      <HorizontalGrid plot={plot} ticks={y.ticks(3)} y={y} label={tickOf} />
      <path d={pathOf(line, x, y)} class="line thin stroke-accent" />
      {marks.map(({ x, y, row, amount }) => (
        <path
          key={row}
          d={amount > 0 ? `M${x},${y - 7}l5,-8h-10Z` : `M${x},${y + 7}l5,8h-10Z`}
          class="fill-luck"
        />
      ))}
      <text x={first.x} y={16} text-anchor={anchor} class="label fill-luck">
        {`${jumps.length === 1 ? "the jump" : "the first"}: ${amountOf(first.amount)}`}
      </text>
      <line x1={first.x} x2={first.x} y1={22} y2={first.y - 17} class="stroke-luck" />
      <text x={first.x} y={height - 8} text-anchor={anchor}>
        {first.day}
      </text>
      {last.x - first.x > DATES_APART && (
        <text x={last.x} y={height - 8} text-anchor="end">
          {last.day}
        </text>
      )}
    </g>
  );
}

const tickOf = (value: number) => (Math.abs(value) < 1e6 ? significant(value) : count(value));
