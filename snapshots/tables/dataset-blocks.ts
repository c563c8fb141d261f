import { DATASET_CSCV_BLOCKS } from "../../quant/dataset/definition.ts";
import type { CoinRecord } from "../../quant/dataset/record.ts";
import { date, days, double, fraction, integer, listed, text } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

const BLOCKS = Array.from({ length: DATASET_CSCV_BLOCKS }, (_, block) => block + 1);

export const DATASET_BLOCKS: Table = {
  name: "dataset_blocks",
  description:
    "Daily returns of every dataset run summed over 16 equal blocks of days, oldest first: what the probabilities of overfitting are computed from.",
  key: ["coin", "template", "variant"],
  arrow: true,
  columns: listed({
    coin: text("lower-case ticker"),
    template: text("name of the template"),
    variant: integer("1 to 13; 1 is the default"),
    first_date: date(
      "first day of block 1; the oldest days of the run that fill no block are left out",
    ),
    block_days: days("days in each block"),
    ...ofEachBlock((block) => [
      `sum_${block}`,
      fraction(`sum of the daily returns in block ${block}`),
    ]),
    ...ofEachBlock((block) => [
      `square_sum_${block}`,
      double("fraction squared")(`sum of the squares of the daily returns in block ${block}`),
    ]),
  }),
};

function ofEachBlock<Of>(entry: (block: number) => [name: string, value: Of]): Record<string, Of> {
  return Object.fromEntries(BLOCKS.map(entry));
}

export function datasetBlocksBlock({ coin, cells, blocks }: CoinRecord): TableBlock {
  const runs = cells.flatMap((cell) => cell.runs);
  const sumsOf = (block: number, sums: Float64Array) =>
    Float64Array.from(runs, (_, run) => sums[run * blocks.blocks + block - 1]!);
  return {
    rows: runs.length,
    columns: {
      coin,
      template: cells.flatMap((cell) => cell.runs.map(() => cell.template)),
      variant: Int32Array.from(runs, (run) => run.variant),
      first_date: new Int32Array(runs.length).fill(blocks.firstDay),
      block_days: new Int32Array(runs.length).fill(blocks.days),
      ...ofEachBlock((block) => [`sum_${block}`, sumsOf(block, blocks.sums)]),
      ...ofEachBlock((block) => [`square_sum_${block}`, sumsOf(block, blocks.squares)]),
    },
  };
}
