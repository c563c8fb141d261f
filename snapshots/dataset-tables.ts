import type { Headline } from "../quant/dataset/headline.ts";
import { headlineOf } from "./tables/dataset-aggregates.ts";
import { cellHeadlineOf } from "./tables/dataset-cells.ts";
import type { DatasetAbout } from "./tables/dataset.ts";
import { datasetAboutOf } from "./tables/dataset.ts";
import type { TableBlock } from "./tables/table.ts";
import { valueAt } from "./tables/table.ts";

/** A row by the names of its columns; null is "no value", a date is a day since 1970-01-01. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** What a reader of the curve-fitting dataset asks for; runs and blocks stay in their files. */
export interface DatasetTables {
  readonly about: DatasetAbout;
  /** Of the whole, and of each template, coin and family. */
  readonly headlines: readonly Headline[];
  /** Of one template on one coin; undefined when the coin is not in the dataset. */
  cellHeadline(template: string, coin: string): Headline | undefined;
  /** Coins in board order, templates in the catalogue's. */
  readonly picks: readonly Row[];
}

/**
 * The dataset from the blocks of its tables, each empty where nothing is in it. Thousands of texts and rows are in them: they are
 * made when they are first asked for.
 */
export function datasetTablesOf(blocks: {
  readonly dataset: readonly TableBlock[];
  readonly aggregates: readonly TableBlock[];
  readonly cells: readonly TableBlock[];
  readonly picks: readonly TableBlock[];
}): DatasetTables {
  const [about] = blocks.dataset;
  if (about === undefined) throw new Error("the dataset does not say what it is");
  const [cells] = blocks.cells;
  let headlines: readonly Headline[] | undefined;
  let cellRows: ReadonlyMap<string, number> | undefined;
  let picks: readonly Row[] | undefined;
  return {
    about: datasetAboutOf(about),
    get headlines() {
      return (headlines ??= blocks.aggregates.map(headlineOf));
    },
    cellHeadline(template, coin) {
      if (cells === undefined) return undefined;
      const row = (cellRows ??= rowsOfCells(cells)).get(cellName(template, coin));
      return row === undefined ? undefined : cellHeadlineOf(cells, row);
    },
    get picks() {
      return (picks ??= rowsOfBlocks(blocks.picks));
    },
  };
}

function rowsOfCells({ rows, columns }: TableBlock): ReadonlyMap<string, number> {
  const { template, coin } = columns;
  return new Map(
    Array.from({ length: rows }, (_, row) => [
      cellName(String(template?.[row]), String(coin?.[row])),
      row,
    ]),
  );
}

function cellName(template: string, coin: string): string {
  return `${template} ${coin}`;
}

/** All rows of the blocks one behind the other. For small tables. */
export function rowsOfBlocks(blocks: readonly TableBlock[]): Row[] {
  const rows: Record<string, string | number | boolean | null>[] = [];
  for (const block of blocks) {
    const names = Object.keys(block.columns);
    for (let row = 0; row < block.rows; row++) {
      const values: Record<string, string | number | boolean | null> = {};
      for (const name of names) values[name] = valueAt(block, name, row);
      rows.push(values);
    }
  }
  return rows;
}
