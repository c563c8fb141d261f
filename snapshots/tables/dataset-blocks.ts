import { DATASET_CSCV_BLOCKS } from "../../quant/dataset/definition.ts";
import type { CoinRecord } from "../../quant/dataset/record.ts";
import type { Table, TableBlock } from "./table.ts";
import { column } from "./table.ts";

const BLOCKS = Array.from({ length: DATASET_CSCV_BLOCKS }, (_, block) => block);

export const DATASET_BLOCKS: Table = {
  name: "dataset_blocks",
  description:
    "Daily returns of every dataset run summed over 16 equal blocks of days, oldest first: what the probabilities of overfitting are computed from.",
  key: ["coin", "template", "variant"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["template", "text"], "name of the template"),
    column(["variant", "integer"], "1 to 13; 1 is the default"),
    column(
      ["first_date", "date"],
      "first day of block 1; the oldest days of the run that fill no block are left out",
    ),
    column(["block_days", "integer", "days"], "days in each block"),
    ...BLOCKS.map((block) =>
      column(
        [sumName(block), "double", "fraction"],
        `sum of the daily returns in block ${block + 1}`,
      ),
    ),
    ...BLOCKS.map((block) =>
      column(
        [squareSumName(block), "double", "fraction squared"],
        `sum of the squares of the daily returns in block ${block + 1}`,
      ),
    ),
  ],
};

function sumName(block: number): string {
  return `sum_${block + 1}`;
}

function squareSumName(block: number): string {
  return `square_sum_${block + 1}`;
}

export function datasetBlocksBlock({ coin, cells, blocks }: CoinRecord): TableBlock {
  const runs = cells.flatMap((cell) => cell.runs);
  const columns: Record<string, TableBlock["columns"][string]> = {
    coin,
    template: cells.flatMap((cell) => cell.runs.map(() => cell.template)),
    variant: Int32Array.from(runs, (run) => run.variant),
    first_date: new Int32Array(runs.length).fill(blocks.firstDay),
    block_days: new Int32Array(runs.length).fill(blocks.days),
  };
  for (const block of BLOCKS) {
    const at = (sums: Float64Array) => {
      const column = new Float64Array(runs.length);
      for (let run = 0; run < column.length; run++)
        column[run] = sums[run * blocks.blocks + block]!;
      return column;
    };
    columns[sumName(block)] = at(blocks.sums);
    columns[squareSumName(block)] = at(blocks.squares);
  }
  return { rows: runs.length, columns };
}
