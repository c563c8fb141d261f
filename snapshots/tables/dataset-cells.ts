import { FIGURES } from "../../quant/dataset/figures.ts";
import type { Headline } from "../../quant/dataset/headline.ts";
import { double, integer, listed, text } from "./columns.ts";
import { doubles, integers, type ColumnData, type Table, type TableBlock } from "./table.ts";

/**
 * The headline figures of each template on each coin. Unlike the aggregates it has one row per cell, not one per
 * figure: there are ten times as many cells as all other scopes together.
 */
export const DATASET_CELLS: Table = {
  name: "dataset_cells",
  description:
    "Headline figures of each template on each coin: each figure, what a coin flip gives, and what it is taken over.",
  key: ["coin", "template"],
  arrow: true,
  columns: [
    ...listed({ coin: text("lower-case ticker"), template: text("name of the template") }),
    ...FIGURES.flatMap(({ name, unit, description, coinFlip }) =>
      listed({
        [name]: double(unit)(description),
        ...(coinFlip !== null && { [`${name}_coin_flip`]: double(unit)(`coin flip: ${coinFlip}`) }),
        [`${name}_n`]: integer(`picks or runs that ${name} is taken over`),
      }),
    ),
  ],
};

export function datasetCellsBlock(headlines: readonly Headline[]): TableBlock {
  const cells = headlines.filter(({ scope }) => scope === "cell");
  const columns: Record<string, ColumnData> = {
    coin: cells.map(({ coin }) => coin),
    template: cells.map(({ template }) => template),
  };
  for (const [index, { name, coinFlip }] of FIGURES.entries()) {
    columns[name] = Float64Array.from(cells, ({ figures }) => figures[index]!.value); // one of each
    columns[`${name}_n`] = Int32Array.from(cells, ({ figures }) => figures[index]!.count);
    if (coinFlip === null) continue;
    columns[`${name}_coin_flip`] = Float64Array.from(
      cells,
      ({ figures }) => figures[index]!.coinFlip,
    );
  }
  return { rows: cells.length, columns };
}

/** The figures of one row of the block. */
export function cellHeadlineOf(block: TableBlock, row: number): Headline {
  const text = (name: string) => (block.columns[name] as readonly string[])[row]!; // by the definition above
  return {
    scope: "cell",
    template: text("template"),
    coin: text("coin"),
    family: "",
    figures: FIGURES.map(({ name, coinFlip }) => ({
      name,
      value: doubles(block, name)[row]!, // as above
      coinFlip: coinFlip === null ? NaN : doubles(block, `${name}_coin_flip`)[row]!,
      count: integers(block, `${name}_n`)[row]!,
    })),
  };
}
