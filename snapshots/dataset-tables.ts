import type { Headline } from "../quant/dataset/headline.ts";
import { headlineOf } from "./tables/dataset-aggregates.ts";
import { cellHeadlineOf } from "./tables/dataset-cells.ts";
import { datasetAboutOf, type DatasetAbout } from "./tables/dataset.ts";
import { valueAt, type TableBlock } from "./tables/table.ts";

/** A row, keyed by column name. Null is "no value"; a date is a day since 1970-01-01. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** What readers of the curve-fitting dataset need in memory; runs and blocks stay in their files. */
export interface DatasetTables {
  readonly about: DatasetAbout;
  /** Those of the whole, and of each template, coin and family. */
  readonly headlines: readonly Headline[];
  /** That of one template on one coin; undefined when the coin is not in the dataset. */
  cellHeadline(template: string, coin: string): Headline | undefined;
  /** Coins in board order, templates in catalogue order. */
  readonly picks: readonly Row[];
  /** Empty when it was skipped. */
  readonly robustness: readonly Row[];
}

/**
 * The dataset, from the blocks of its tables; a table without rows has no blocks. It holds thousands of texts and
 * rows, which are built on first use.
 */
export function datasetTablesOf(blocks: {
  readonly dataset: readonly TableBlock[];
  readonly aggregates: readonly TableBlock[];
  readonly cells: readonly TableBlock[];
  readonly picks: readonly TableBlock[];
  readonly robustness: readonly TableBlock[];
}): DatasetTables {
  const [about] = blocks.dataset;
  if (about === undefined) throw new Error("the dataset does not say what it is");
  const [cells] = blocks.cells;
  const { aggregates } = blocks;
  let headlines: readonly Headline[] | undefined;
  let picks: readonly Row[] | undefined;
  let cellRows: ReadonlyMap<string, number> | undefined;
  return {
    about: datasetAboutOf(about),
    get headlines() {
      return (headlines ??= aggregates.map(headlineOf)); // one per block
    },
    cellHeadline(template, coin) {
      if (cells === undefined) return undefined;
      const row = (cellRows ??= rowsOfCells(cells)).get(`${template} ${coin}`);
      return row === undefined ? undefined : cellHeadlineOf(cells, row);
    },
    get picks() {
      return (picks ??= rowsOfBlocks(blocks.picks));
    },
    robustness: rowsOfBlocks(blocks.robustness),
  };
}

/** The row of each cell, by its template and coin. */
function rowsOfCells({ rows, columns }: TableBlock): ReadonlyMap<string, number> {
  const { template, coin } = columns;
  return new Map(
    Array.from({ length: rows }, (_, row) => [`${template?.[row]} ${coin?.[row]}`, row]),
  );
}

/** All rows of the blocks, one block after the other. For small tables. */
export function rowsOfBlocks(blocks: readonly TableBlock[]): Row[] {
  return blocks.flatMap((block) => {
    const names = Object.keys(block.columns);
    return Array.from({ length: block.rows }, (_, row) =>
      Object.fromEntries(names.map((name) => [name, valueAt(block, name, row)])),
    );
  });
}
