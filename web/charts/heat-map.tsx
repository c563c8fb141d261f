import type { VNode } from "preact";
import { signedDecimal } from "../format.ts";
import { round, type Drawing, type Size } from "./chart.tsx";

export interface HeatCell {
  readonly row: string;
  readonly column: string;
  readonly value: number | null;
  /** What a pointer is shown, where it is not the value. */
  readonly words?: string;
  /** Where the cell leads, if anywhere. */
  readonly href?: string;
}

export interface HeatWords extends Pick<Drawing, "title" | "subtitle" | "isSynthetic"> {
  /** The value that has the strongest colour. */
  readonly strongest: number;
}

const ROW_HEIGHT = 18;
const HEADER_HEIGHT = 56;
const NAMES_WIDTH = 172;
const NARROW_NAMES_WIDTH = 112;
/** What a cell below zero is smaller by, on each side. */
const INSET = 0.12;

/** A value for each row and column: teal above zero, smaller and amber below, stronger with its size. */
export function heatMap(cells: readonly HeatCell[], words: HeatWords): Drawing {
  const rows = [...new Set(cells.map(({ row }) => row))];
  const columns = [...new Set(cells.map(({ column }) => column))];
  const known = cells.filter(({ value }) => value !== null);
  const above = known.filter(({ value }) => value! > 0).length; // known
  return {
    ...words,
    description: `${rows.length} rows and ${columns.length} columns; ${above} of ${known.length} values are above zero.`,
    draw: (size) => drawCells(size, cells, { rows, columns, strongest: words.strongest }),
    hasLinks: cells.some(({ href }) => href !== undefined),
    values: cells.map(
      (cell) => cell.words ?? `${cell.row} on ${cell.column}|${signedDecimal(cell.value, 2)}`,
    ),
    width: 1040,
    height: HEADER_HEIGHT + rows.length * ROW_HEIGHT + 8,
    narrowHeight: 20 + rows.length * ROW_HEIGHT + 8,
  };
}

interface Axes {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly strongest: number;
}

/** Columns narrower than a line of text have smaller names. */
const TEXT_HEIGHT = 17;

function drawCells(
  size: Size,
  cells: readonly HeatCell[],
  { rows, columns, strongest }: Axes,
): VNode {
  const left = size.isNarrow ? NARROW_NAMES_WIDTH : NAMES_WIDTH;
  const top = size.isNarrow ? 20 : HEADER_HEIGHT;
  const width = (size.width - left) / columns.length;
  const height = (size.height - top - 8) / rows.length;
  return (
    <g>
      {!size.isNarrow &&
        columns.map((column, at) => (
          <text
            key={column}
            class={width < TEXT_HEIGHT ? "small" : undefined}
            transform={`translate(${round(left + (at + 0.7) * width)} ${top - 6}) rotate(-90)`}
          >
            {column}
          </text>
        ))}
      {rows.map((row, at) => (
        <text key={row} x={left - 8} y={round(top + (at + 0.72) * height)} text-anchor="end">
          {size.isNarrow ? row.slice(0, 16) : row}
        </text>
      ))}
      <g class="follow" aria-hidden="true">
        {cells.map(({ row, column, value, href }) => {
          const Cell = href === undefined ? "g" : "a";
          const inset = value !== null && value < 0 ? INSET * Math.min(width, height) : 0;
          return (
            <Cell key={`${row} ${column}`} {...(href === undefined ? {} : { href, tabIndex: -1 })}>
              <rect
                x={round(left + columns.indexOf(column) * width + inset)}
                y={round(top + rows.indexOf(row) * height + inset)}
                width={round(width - 1 - 2 * inset)}
                height={round(height - 1 - 2 * inset)}
                class={value === null ? "fill-panel" : value > 0 ? "fill-skill" : "fill-luck"}
                opacity={value === null ? 1 : strengthOf(value / strongest)}
              />
            </Cell>
          );
        })}
      </g>
    </g>
  );
}

function strengthOf(share: number): number {
  return round(Math.min(1, Math.abs(share)) * 0.9) + 0.1;
}
