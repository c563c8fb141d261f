import type { Headline, HeadlineScope } from "../../quant/dataset/headline.ts";
import { double, integer, listed, text } from "./columns.ts";
import { constantText, doubles, integers, type Table, type TableBlock } from "./table.ts";

export const DATASET_AGGREGATES: Table = {
  name: "dataset_aggregates",
  description:
    "Headline figures of the dataset beside what a coin flip gives: of all runs, and of each template, coin and family.",
  key: ["scope", "template", "coin", "family", "figure"],
  arrow: true,
  columns: listed({
    scope: text("what the figure is over: all, template, coin or family"),
    template: text("its template, or empty for any"),
    coin: text("its coin, or empty for any"),
    family: text("its family, or empty for any"),
    figure: text("name of the figure: docs/dataset.md"),
    value: double("varies")("the figure; its name says the unit"),
    coin_flip: double("varies")(
      "what a choice without any information gives; NULL where nothing is chosen",
    ),
    low: double("varies")(
      "least value of the 13 variants, each fixed in advance for all cells; of a share of variance, 5 % of 1,000 shuffles of the names have a lower one; NULL of other figures",
    ),
    high: double("varies")("the greatest; 95 % of them have a lower one"),
    n: integer("picks, runs, cells or coins that the value is taken over"),
  }),
};

/** One block for each scope except the cells, which are in `dataset_cells`. */
export function datasetAggregatesBlocks(headlines: readonly Headline[]): TableBlock[] {
  return headlines
    .filter(({ scope }) => scope !== "cell")
    .map(({ figures, ...columns }) => ({
      rows: figures.length,
      columns: {
        ...columns,
        figure: figures.map(({ name }) => name),
        value: Float64Array.from(figures, ({ value }) => value),
        coin_flip: Float64Array.from(figures, ({ coinFlip }) => coinFlip),
        low: Float64Array.from(figures, ({ range }) => range?.[0] ?? NaN),
        high: Float64Array.from(figures, ({ range }) => range?.[1] ?? NaN),
        n: Int32Array.from(figures, ({ count }) => count),
      },
    }));
}

/** The figures of a block, as they were computed. */
export function headlineOf(block: TableBlock): Headline {
  const names = block.columns["figure"] as readonly string[]; // a list of texts, by the definition above
  const [value, coinFlip, low, high, count] = [
    doubles(block, "value"),
    doubles(block, "coin_flip"),
    doubles(block, "low"),
    doubles(block, "high"),
    integers(block, "n"),
  ];
  return {
    scope: constantText(block, "scope") as HeadlineScope,
    template: constantText(block, "template"),
    coin: constantText(block, "coin"),
    family: constantText(block, "family"),
    figures: names.map((name, row) => ({
      name,
      value: value[row]!, // columns are of equal length
      coinFlip: coinFlip[row]!,
      count: count[row]!,
      range: Number.isNaN(low[row]!) ? undefined : [low[row]!, high[row]!],
    })),
  };
}
