import { computeIndicators } from "../../quant/indicators/columns.ts";
import { readingAt } from "../../quant/signals/reading.ts";
import {
  INDICATORS,
  indicatorBlock,
  indicatorValuesAt,
} from "../../snapshots/tables/indicators.ts";
import { barsOf } from "../../snapshots/tables/prices.ts";
import { SIGNALS, signalsBlock, type SignalsRow } from "../../snapshots/tables/signals.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";
import { constantText, inSharedMemory } from "../../snapshots/tables/table.ts";
import { priceBlocks, type Stage, type StageInput } from "./stage.ts";

/**
 * Every indicator of every coin and day, and the latest reading of every coin with its rating. One stage makes both
 * so that the indicators, the largest table, need not be kept for the readings.
 */
export const indicators: Stage = {
  name: "indicators",
  run: async (input) => tablesOf(input),
};

/** The second table is made once all of the first is written. */
async function* tablesOf(input: StageInput): AsyncGenerator<readonly [Table, TableRows]> {
  const coin = input.prices.map((block) => constantText(block, "coin"));
  const readings: SignalsRow[] = [];
  yield [INDICATORS, { texts: { coin }, blocks: computed(input, readings) }];
  yield [SIGNALS, [signalsBlock(readings)]];
}

/** One block per coin, whose last reading is added to `readings`. */
async function* computed(input: StageInput, readings: SignalsRow[]): AsyncGenerator<TableBlock> {
  const ingested = new Map(input.coins.map((each) => [each.clean.ticker, each]));
  for await (const block of priceBlocks(input)) {
    const coin = constantText(block, "coin");
    const bars = barsOf(block);
    const indicators = computeIndicators(bars);
    const row = block.rows - 1;
    const { board, clean } = ingested.get(coin)!; // prices are of ingested coins
    readings.push({
      coin,
      name: board.name,
      stale: clean.quality.stale,
      reading: readingAt(bars, indicators, row),
      values: indicatorValuesAt(indicators, row),
    });
    yield inSharedMemory(indicatorBlock(coin, bars.day, indicators));
  }
}
