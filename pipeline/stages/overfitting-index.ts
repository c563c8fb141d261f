import { setImmediate } from "node:timers/promises";
import type { CoinHistory } from "../../quant/bars.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, type Month } from "../../quant/month.ts";
import type { IndexDraw } from "../../quant/overfitting/index-band.ts";
import { drawOf, luckShare, nullBand, standingOf } from "../../quant/overfitting/index-band.ts";
import type { CoinMonth } from "../../quant/overfitting/index-coin.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { indexCoins, indexMonths, PANEL_DAYS } from "../../quant/overfitting/index-months.ts";
import { panelOf } from "../../quant/overfitting/index-panel.ts";
import { indexValue } from "../../quant/overfitting/index-value.ts";
import type { IndexCertainty } from "../../snapshots/tables/overfitting-index.ts";
import {
  OVERFITTING_INDEX,
  indexBlock,
  withCertainty,
} from "../../snapshots/tables/overfitting-index.ts";
import {
  OVERFITTING_INDEX_DRAWS,
  indexDrawsBlock,
  indexDrawsOf,
} from "../../snapshots/tables/overfitting-index-draws.ts";
import { historiesOf } from "../../snapshots/tables/prices.ts";
import { constantText, doubles, valueAt, type TableBlock } from "../../snapshots/tables/table.ts";
import type { ComputePool } from "../compute-pool.ts";
import { mapOn } from "../map-on.ts";
import { indexInputHash } from "../index-input-hash.ts";
import type { Stage, StageInput, WholeTables } from "./stage.ts";

/** Default number of permutations for the band of a month. */
export const INDEX_DRAWS_DEFAULT = 200;

/** Limit on the parts that are kept at once; each takes some 8 KB. */
const PARTS_MAX = 40_000;

/** The certainty of a month without draws. */
const UNCERTAIN: IndexCertainty = {
  band: undefined,
  standing: { low: NaN, high: NaN, significant: null },
  luckShare: NaN,
};

interface IndexOptions {
  /** 0 for no band, else at least 2. */
  readonly draws: number;
  /** How many months get their draws in this run; 1 by default. */
  readonly bandsMax?: number | undefined;
  /** The newest months that are computed if they are missing; all of them by default. */
  readonly monthsMax?: number | undefined;
  /** Months times coins that are computed together. */
  readonly partsMax?: number;
}

/**
 * The overfitting index. Months that a snapshot has are kept as they are. The other months, up to the newest, are
 * computed, each from prices up to its own last day. Then the newest month without draws gets them, from the days of
 * its own coins. With 200 draws that is the longest part of a night, so the older months follow one a night, and have
 * no band until then.
 */
export function overfittingIndex(
  pool: ComputePool,
  { draws, bandsMax = 1, monthsMax = Infinity, partsMax = PARTS_MAX }: IndexOptions,
): Stage<WholeTables> {
  return {
    name: "overfitting_index",
    keeps: [OVERFITTING_INDEX, OVERFITTING_INDEX_DRAWS],
    async run(input) {
      const board = historiesOf(input.prices);
      const [blocks, drawn] = await keptMonths(input);
      const months = indexMonths(board, input.month);
      const missing = months
        .slice(-Math.min(monthsMax, months.length))
        .filter((month) => !blocks.has(month));
      const bandless = months
        .filter((month) => missing.includes(month) || blocks.has(month))
        .filter((month) => draws > 0 && !drawn.has(month))
        .slice(-bandsMax);
      const batches = batchesOf(missing, Math.max(1, Math.floor(partsMax / board.length)));
      const total = batches.length * board.length + bandless.length * draws;
      let done = 0;
      const work = { board, pool, step: async () => await input.step(++done, total) };
      const lastComplete = lastCompleteMonth(input.asOf);
      for (const batch of batches) {
        for (const { index, inputHash } of await monthsOf(work, batch)) {
          const month = { index, ...UNCERTAIN, backfilled: index.month < lastComplete, inputHash };
          blocks.set(index.month, indexBlock(month));
        }
      }
      for (const month of bandless.toReversed()) {
        drawn.set(month, indexDrawsBlock(month, await drawsOf(work, month, draws)));
      }
      const sorted = [...blocks].sort(([a], [b]) => a - b);
      return new Map([
        [OVERFITTING_INDEX, sorted.map(([month, block]) => judged(block, drawn.get(month)))],
        [OVERFITTING_INDEX_DRAWS, sorted.flatMap(([month]) => drawn.get(month) ?? [])],
      ]);
    },
  };
}

/** A month with its band and standing, from its draws. */
function judged(block: TableBlock, drawn: TableBlock | undefined): TableBlock {
  if (drawn === undefined) return withCertainty(block, UNCERTAIN);
  const value = doubles(block, "value")[0]!; // a block is a month
  const draws = indexDrawsOf(drawn);
  const band = nullBand(monthOf(block), draws);
  const standing = standingOf(value, band);
  return withCertainty(block, { band, standing, luckShare: luckShare(value, draws) });
}

function monthOf(block: TableBlock): Month {
  return monthOfText(constantText(block, "month"))!; // written by this stage
}

/** Published months of the same version up to the newest wanted one, a block each, and their draws. */
async function keptMonths(input: StageInput) {
  const [months, draws] = [new Map<Month, TableBlock>(), new Map<Month, TableBlock>()];
  const keep = (into: Map<Month, TableBlock>, blocks: readonly TableBlock[] = []) => {
    for (const block of blocks) {
      const month = monthOf(block);
      const isWanted = valueAt(block, "version", 0) === INDEX_VERSION && month <= input.month;
      if (isWanted && !into.has(month)) into.set(month, block);
    }
  };
  for await (const tables of input.published()) {
    keep(months, tables.get(OVERFITTING_INDEX));
    keep(draws, tables.get(OVERFITTING_INDEX_DRAWS));
  }
  return [months, draws] as const;
}

interface Work {
  readonly board: readonly CoinHistory[];
  readonly pool: ComputePool;
  readonly step: () => Promise<void>;
}

/**
 * Groups the months into batches that are computed one after the other. The newest come last, so that the dataset can
 * reuse their runs. A coin's parts in a batch are kept until all coins have theirs, and every batch runs each coin
 * again. The months of 50 coins over 20 years fit into one batch.
 */
function batchesOf(months: readonly Month[], size: number): Month[][] {
  const starts = Array.from(
    { length: Math.ceil(months.length / size) },
    (_, batch) => batch * size,
  );
  return starts.map((start) => months.slice(start, start + size));
}

/** The index of each month, and a hash of its input. A coin runs once for all months. */
async function monthsOf({ board, pool, step }: Work, months: readonly Month[]) {
  const coinsOf = new Map(months.map((month) => [month, indexCoins(board, month)]));
  const parts = new Map<string, CoinMonth>(); // by coin and month
  const coinsDone = mapOn(pool, board, {
    async work({ coin }) {
      const own = months.flatMap((month) => {
        const history = coinsOf.get(month)!.find((other) => other.coin === coin);
        return history === undefined ? [] : [{ month, history }];
      });
      const newest = own.at(-1);
      if (newest === undefined) return;
      const lastDays = own.map(({ month }) => lastDayOfMonth(month));
      const made = await pool.indexCoin({ history: newest.history, lastDays });
      for (const [index, { month }] of own.entries()) parts.set(`${coin} ${month}`, made[index]!);
    },
    step,
  });
  const [hashes] = await Promise.all([inputHashes([...coinsOf.values()]), coinsDone]);
  return months.map((month, index) => {
    const ofMonth = coinsOf.get(month)!.map(({ coin }) => parts.get(`${coin} ${month}`)!); // made above
    return { index: indexValue(month, ofMonth), inputHash: hashes[index]! }; // one per month
  });
}

/** Hashes what each month is computed from, letting other work be handed to the threads in between. */
async function inputHashes(months: readonly (readonly CoinHistory[])[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const coins of months) {
    hashes.push(indexInputHash(coins));
    await setImmediate();
  }
  return hashes;
}

/** The index of permutations of a month's panel; the month is the seed. */
async function drawsOf(
  { board, pool, step }: Work,
  month: Month,
  draws: number,
): Promise<IndexDraw[]> {
  const coins = indexCoins(board, month).map(({ bars }) => bars);
  const panel = panelOf(coins, { lastDay: lastDayOfMonth(month), days: PANEL_DAYS, share: true });
  const numbers = Array.from({ length: draws }, (_, draw) => draw);
  return await mapOn(pool, numbers, {
    work: async (draw) => drawOf(await pool.indexDraw({ panel, seed: month, draw })),
    step,
  });
}
