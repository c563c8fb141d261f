import type { VNode } from "preact";
import { signedDecimal } from "../format.ts";
import type { ChartWords, Drawing, Size } from "./chart.tsx";
import { cells, label, round, type Cell, type Mark } from "./marks.tsx";
import { namesAxis, plot } from "./plot.tsx";

export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly value: number | null;
  /** What a pointer shows instead of the value. */
  readonly words?: string;
  /** Where the cell leads, if anywhere. */
  readonly href?: string;
}

export interface HeatWords extends ChartWords {
  /** The value that has the strongest colour. */
  readonly strongest: number;
  /** Whether a phone has the columns as rows, each with its name beside it. */
  readonly isTurned?: boolean;
}

const ROW_HEIGHT = 18;
const HEADER_HEIGHT = 84;
/** On a phone, the cells of a row are below its name. */
const LIST_ROW_HEIGHT = 40;
const TURNED_ROW_HEIGHT = 24;
const KEY_HEIGHT = 34;
const FOOT = 28;
/** Up to this many columns of a list are named below it. */
const NAMED_MAX = 8;
/** How much smaller a cell below zero is, on each side. */
const INSET = 1.5;

const rowsOf = (some: readonly HeatCell[]) => [...new Set(some.map(({ row }) => row))];
const columnsOf = (some: readonly HeatCell[]) => [...new Set(some.map(({ column }) => column))];

/** A cell for each row and column: teal above zero, smaller and amber below, stronger the larger its value. */
export function heatMap(
  some: readonly HeatCell[],
  { strongest, isTurned = false, ...words }: HeatWords,
): Drawing {
  const [rows, columns] = [rowsOf(some), columnsOf(some)];
  const known = some.filter(({ value }) => value !== null);
  const above = known.filter(({ value }) => value! > 0).length; // the known ones have values
  return {
    ...words,
    description: `${rows.length} rows and ${columns.length} columns; ${above} of ${known.length} values are above zero.`,
    draw: (size) => drawCells(size, some, { strongest, isTurned: isTurned && size.isNarrow }),
    hasLinks: some.some(({ href }) => href !== undefined),
    values: some.map(
      (cell) => cell.words ?? `${cell.row} on ${cell.column}|${signedDecimal(cell.value, 2)}`,
    ),
    width: 1040,
    height: HEADER_HEIGHT + rows.length * ROW_HEIGHT + FOOT,
    narrowHeight: isTurned
      ? KEY_HEIGHT + columns.length * TURNED_ROW_HEIGHT + FOOT
      : KEY_HEIGHT + rows.length * LIST_ROW_HEIGHT + FOOT,
  };
}

function drawCells(
  size: Size,
  some: readonly HeatCell[],
  { strongest, isTurned }: { readonly strongest: number; readonly isTurned: boolean },
): VNode {
  const names = isTurned ? [columnsOf(some), rowsOf(some)] : [rowsOf(some), columnsOf(some)];
  const [rows, columns] = names as [string[], string[]];
  const isList = size.isNarrow && !isTurned; // the name of a row is in its upper half
  const shown = some.map(({ row, column, value, href }): Cell => {
    const [across, up] = isTurned ? [row, column] : [column, row];
    const [at, down] = [columns.indexOf(across), rows.indexOf(up)];
    const y = [down + (isList ? 0.5 : 0.03), down + 0.97] as const;
    return { x: [at + 0.04, at + 0.96], y, href, ...lookOf(value, strongest) };
  });
  const top = size.isNarrow ? KEY_HEIGHT : HEADER_HEIGHT;
  const sides = isList ? { left: 0, right: size.width } : {};
  const box = { top, bottom: size.height - FOOT, ...sides };
  const above = rows.map((row, at) => label(row, { sides: ["ne"], gap: 3 }, [0, at + 0.5]));
  const isNamed = isList && columns.length <= NAMED_MAX;
  const ticks = isNamed ? columns.map((text, at) => ({ at: at + 0.5, text })) : [];
  const y = { ...namesAxis(rows), ...(isList ? { ticks: [] } : {}) };
  return plot({ size, x: { span: [0, columns.length], ticks }, y, box }, [
    cells(shown, 0, "follow"),
    ...(isList ? above : size.isNarrow ? [] : [columnNames(columns)]),
    colourKey(strongest),
  ]);
}

function lookOf(value: number | null, strongest: number) {
  if (value === null) return { className: "fill-panel" };
  const opacity = round(Math.min(1, Math.abs(value / strongest)) * 0.9) + 0.1;
  if (value > 0) return { className: "fill-skill", opacity };
  return { className: "fill-luck", opacity, inset: INSET };
}

/** Upright names. Where columns are narrower than a line of text, every other name stands higher. */
function columnNames(columns: readonly string[]): Mark {
  return ({ plot: box, x }) => {
    const isCrowded = x(1) - x(0) < 15;
    const shape = columns.map((column, at) => {
      const corner = `${round(x(at + 0.5) + 4)} ${box.top - (isCrowded && at % 2 === 1 ? 40 : 6)}`;
      return (
        <text key={column} class="small" transform={`translate(${corner}) rotate(-90)`}>
          {column}
        </text>
      );
    });
    return { shape };
  };
}

/** The key to the colours, from the strongest below zero to the strongest above. */
function colourKey(strongest: number): Mark {
  const parts = [-1, -0.5, 0.5, 1].map((share) => {
    const { className, opacity } = lookOf(share, 1);
    return (
      <tspan key={share} class={className} opacity={opacity} children={share < 0 ? "▪" : "■"} />
    );
  });
  const [least, most] = [-strongest, strongest].map((value) => signedDecimal(value, 1));
  return () => ({ shape: <text x={0} y={14} children={[`${least} `, parts, ` ${most}`]} /> });
}
