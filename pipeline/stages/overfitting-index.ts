import { setImmediate } from "node:timers/promises";
import type { CoinHistory } from "../../quant/bars.ts";
import type { Month } from "../../quant/month.ts";
import { lastCompleteMonth, lastDayOfMonth, monthOfText, monthText } from "../../quant/month.ts";
import type { IndexDraw } from "../../quant/overfitting/index-band.ts";
import { drawOf, luckShare, nullBand, standingOf } from "../../quant/overfitting/index-band.ts";
import type { CoinMonth } from "../../quant/overfitting/index-coin.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { indexCoins, indexMonths, PANEL_DAYS } from "../../quant/overfitting/index-months.ts";
import { panelOf } from "../../quant/overfitting/index-panel.ts";
import type { IndexValue } from "../../quant/overfitting/index-value.ts";
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
import { PRICES, historiesOf } from "../../snapshots/tables/prices.ts";
import type { TableBlock } from "../../snapshots/tables/table.ts";
import { constantText, doubles, valueAt } from "../../snapshots/tables/table.ts";
import type { ComputePool } from "../compute-pool.ts";
import { mapOn } from "../map-on.ts";
import { indexInputHash } from "../index-input-hash.ts";
import type { Stage, StageInput, WholeTables } from "./stage.ts";

/** Default number of permutations for the band of a month. */
export const INDEX_DRAWS_DEFAULT = 200;

/** Limit on the parts that are kept at once; each takes some 8 KB. */
const PARTS_MAX = 40_000;

/** The certainty of a month without draws: none. */
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
 * The overfitting index. Months that a snapshot has are kept as they are. The other months, up to the
 * newest, are computed, each from prices up to its own last day. Then the newest month without draws gets
 * them, from the days of its own coins: with 200 draws that is the longest part of a night, so the older ones
 * follow a night each, and have no band until then.
 */
export function overfittingIndex(
  pool: ComputePool,
  { draws, bandsMax = 1, monthsMax = Infinity, partsMax = PARTS_MAX }: IndexOptions,
): Stage<WholeTables> {
  return {
    name: "overfitting_index",
    reads: [PRICES],
    writes: [OVERFITTING_INDEX, OVERFITTING_INDEX_DRAWS],
    keeps: [OVERFITTING_INDEX, OVERFITTING_INDEX_DRAWS],
    async run(input) {
      const { months: blocks, draws: drawn } = await keptMonths(input, monthText(input.month));
      const board = historiesOf(input.read(PRICES));
      const months = indexMonths(board, input.month);
      const missing = months
        .slice(-Math.min(monthsMax, months.length))
        .filter((month) => !blocks.has(monthText(month)));
      const isUndrawn = (month: Month) =>
        (missing.includes(month) || blocks.has(monthText(month))) && !drawn.has(monthText(month));
      const bandless = draws === 0 ? [] : months.filter(isUndrawn).slice(-bandsMax);
      const work = { input, board, pool, draws, partsMax };
      const made = await computed(work, missing, bandless);
      const lastComplete = lastCompleteMonth(input.asOf);
      for (const { index, inputHash } of made.months) {
        const month = { index, ...UNCERTAIN, backfilled: index.month < lastComplete, inputHash };
        blocks.set(monthText(index.month), indexBlock(month));
      }
      for (const [month, taken] of made.draws) {
        drawn.set(monthText(month), indexDrawsBlock(month, taken));
      }
      const sorted = [...blocks].sort(([a], [b]) => (a < b ? -1 : 1));
      return new Map([
        [OVERFITTING_INDEX, sorted.map(([name, block]) => judged(block, drawn.get(name)))],
        [OVERFITTING_INDEX_DRAWS, sorted.flatMap(([name]) => drawn.get(name) ?? [])],
      ]);
    },
  };
}

/** A month with what its draws say of it. */
function judged(block: TableBlock, drawn: TableBlock | undefined): TableBlock {
  if (drawn === undefined) return withCertainty(block, UNCERTAIN);
  const value = doubles(block, "value")[0]!; // a block is a month
  const draws = indexDrawsOf(drawn);
  const band = nullBand(monthOfText(constantText(block, "month"))!, draws); // written by this stage
  const standing = standingOf(value, band);
  return withCertainty(block, { band, standing, luckShare: luckShare(value, draws) });
}

/** Published months of the same version up to `through`, a block each, and their draws. */
async function keptMonths(input: StageInput, through: string) {
  const kept = { months: new Map<string, TableBlock>(), draws: new Map<string, TableBlock>() };
  const keep = (into: Map<string, TableBlock>, blocks: readonly TableBlock[] = []) => {
    for (const block of blocks) {
      const month = constantText(block, "month");
      const isWanted = valueAt(block, "version", 0) === INDEX_VERSION && month <= through;
      if (isWanted && !into.has(month)) into.set(month, block);
    }
  };
  for await (const tables of input.published()) {
    keep(kept.months, tables.get(OVERFITTING_INDEX));
    keep(kept.draws, tables.get(OVERFITTING_INDEX_DRAWS));
  }
  return kept;
}

interface Work {
  readonly input: StageInput;
  readonly board: readonly CoinHistory[];
  readonly pool: ComputePool;
  readonly draws: number;
  readonly partsMax: number;
}

interface Made {
  readonly index: IndexValue;
  readonly inputHash: string;
}

interface Computed {
  readonly months: readonly Made[];
  readonly draws: ReadonlyMap<Month, readonly IndexDraw[]>;
}

/** The missing months, and the draws of those that lack them, the newest first. */
async function computed(
  work: Work,
  missing: readonly Month[],
  bandless: readonly Month[],
): Promise<Computed> {
  const { board } = work;
  const batches = batchesOf(missing, Math.floor(work.partsMax / board.length));
  const total = batches.length * board.length + bandless.length * work.draws;
  const steps = { done: 0, total };
  const months: Made[] = [];
  for (const batch of batches) months.push(...(await monthsOf(work, batch, steps)));
  const draws = new Map<Month, readonly IndexDraw[]>();
  for (const month of bandless.toReversed()) draws.set(month, await drawsOf(work, month, steps));
  return { months, draws };
}

/**
 * Groups the months into batches that are computed one after the other. The newest come last, so that the
 * dataset can reuse their runs. A coin's parts in a batch are kept until all coins have theirs, and every
 * batch runs each coin again. The months of 50 coins over 20 years fit into one batch.
 */
function batchesOf(months: readonly Month[], atOnce: number): Month[][] {
  const batches: Month[][] = [];
  for (let from = 0; from < months.length; from += Math.max(1, atOnce)) {
    batches.push(months.slice(from, from + Math.max(1, atOnce)));
  }
  return batches;
}

async function monthsOf(work: Work, months: readonly Month[], steps: StepCount): Promise<Made[]> {
  const coinsOf = new Map(months.map((month) => [month, indexCoins(work.board, month)]));
  const [parts, hashes] = await Promise.all([
    coinParts(work, coinsOf, steps),
    inputHashes([...coinsOf.values()]),
  ]);
  return months.map((month, place) => {
    const of = coinsOf.get(month)!.map(({ coin }) => parts.get(`${coin} ${month}`)!); // one of the months
    return { index: indexValue(month, of), inputHash: hashes[place]! }; // one per month
  });
}

/** Hashes what each month is computed from, in turns with handing work to the threads. */
async function inputHashes(months: readonly (readonly CoinHistory[])[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const coins of months) {
    hashes.push(indexInputHash(coins));
    await setImmediate();
  }
  return hashes;
}

/** Progress over both halves of the work. */
interface StepCount {
  done: number;
  readonly total: number;
}

/** Each coin's part in each of its months, keyed by `coin month`. A coin runs once for all of them. */
async function coinParts(
  { input, board, pool }: Work,
  coinsOf: ReadonlyMap<Month, readonly CoinHistory[]>,
  steps: StepCount,
): Promise<Map<string, CoinMonth>> {
  const parts = new Map<string, CoinMonth>();
  await mapOn(pool, board, {
    async work({ coin }) {
      const months = [...coinsOf.keys()].filter((month) =>
        coinsOf.get(month)?.some((other) => other.coin === coin),
      );
      const newest = months.at(-1);
      if (newest === undefined) return;
      const history = coinsOf.get(newest)!.find((other) => other.coin === coin)!; // by the filter
      const made = await pool.indexCoin({ history, lastDays: months.map(lastDayOfMonth) });
      for (const [place, month] of months.entries()) parts.set(`${coin} ${month}`, made[place]!);
    },
    step: async () => await input.step(++steps.done, steps.total),
  });
  return parts;
}

/** The index of permutations of a month's panel; the month is the seed. */
async function drawsOf(
  { input, board, pool, draws }: Work,
  month: Month,
  steps: StepCount,
): Promise<IndexDraw[]> {
  const coins = indexCoins(board, month).map(({ bars }) => bars);
  const panel = panelOf(coins, { lastDay: lastDayOfMonth(month), days: PANEL_DAYS, share: true });
  const numbers = Array.from({ length: draws }, (_, draw) => draw);
  return await mapOn(pool, numbers, {
    work: async (draw) => drawOf(await pool.indexDraw({ panel, seed: month, draw })),
    step: async () => await input.step(++steps.done, steps.total),
  });
}
