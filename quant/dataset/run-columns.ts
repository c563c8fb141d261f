import { cellColumnOf, numbersOfCells } from "./cell-column.ts";
import type { CellColumn } from "./cell-column.ts";
import type { RunRecord } from "./record.ts";

/** The figures that the headline needs from each run. */
const OF_RUN = {
  inSampleSharpe: ({ segments }: RunRecord) => segments.inSample.sharpe,
  outOfSampleSharpe: ({ segments }: RunRecord) => segments.outOfSample.sharpe,
  wholeSharpe: ({ segments }: RunRecord) => segments.whole.sharpe,
  trades: ({ segments }: RunRecord) => segments.whole.trades,
  exposurePct: ({ segments }: RunRecord) => segments.whole.exposure * 100,
  feesPct: ({ fees }: RunRecord) => fees * 100,
  inSampleDays: ({ segments }: RunRecord) => segments.inSample.days,
  outOfSampleDays: ({ segments }: RunRecord) => segments.outOfSample.days,
} as const;

type RunFigure = keyof typeof OF_RUN;

/** Runs as columns; NaN means "no value". */
export type RunColumns = Readonly<Record<RunFigure, Float64Array>>;

/** The same for all cells. */
export type CellRunColumns = Readonly<Record<RunFigure, CellColumn>>;

export function cellRunColumns(runsOfCells: readonly (readonly RunRecord[])[]): CellRunColumns {
  return filled((name) => cellColumnOf(runsOfCells, (runs) => runs.map(OF_RUN[name])));
}

export function runsOfCells(columns: CellRunColumns, places: readonly number[]): RunColumns {
  return filled((name) => numbersOfCells(columns[name], places));
}

function filled<Column>(column: (name: RunFigure) => Column): Record<RunFigure, Column> {
  const names = Object.keys(OF_RUN) as RunFigure[];
  const columns = names.map((name) => [name, column(name)] as const);
  return Object.fromEntries(columns) as Record<RunFigure, Column>; // every figure has a column
}
