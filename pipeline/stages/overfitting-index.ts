import { setImmediate } from "node:timers/promises";
import type { CoinHistory } from "../../quant/bars.ts";
import type { Month } from "../../quant/month.ts";
import { lastCompleteMonth, lastDayOfMonth, monthText } from "../../quant/month.ts";
import type { IndexDraw } from "../../quant/overfitting/index-band.ts";
import { drawOf, luckShare, nullBand, standingOf } from "../../quant/overfitting/index-band.ts";
import type { CoinMonth } from "../../quant/overfitting/index-coin.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { PANEL_DAYS } from "../../quant/overfitting/index-draw.ts";
import { indexCoins, indexMonths } from "../../quant/overfitting/index-months.ts";
import { panelOf } from "../../quant/overfitting/index-panel.ts";
import type { IndexValue } from "../../quant/overfitting/index-value.ts";
import { indexValue } from "../../quant/overfitting/index-value.ts";
import type { IndexCertainty } from "../../snapshots/tables/overfitting-index.ts";
import {
  OVERFITTING_INDEX,
  indexBlock,
  withCertainty,
} from "../../snapshots/tables/overfitting-index.ts";
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
  /** The newest months that are computed if they are missing; all of them by default. */
  readonly monthsMax?: number | undefined;
  /** Months times coins that are computed together. */
  readonly partsMax?: number;
}

/**
 * The overfitting index. Months that a snapshot has are kept as they are. The other months, up to the
 * newest, are computed, each from prices up to its own last day. The band is computed from the newest month
 * that lacks one. It serves all months that lack one: those computed now, and those published without
 * draws.
 */
export function overfittingIndex(
  pool: ComputePool,
  { draws, monthsMax = Infinity, partsMax = PARTS_MAX }: IndexOptions,
): Stage<WholeTables> {
  return {
    name: "overfitting_index",
    reads: [PRICES],
    writes: [OVERFITTING_INDEX],
    keeps: [OVERFITTING_INDEX],
    async run(input) {
      const kept = await keptMonths(input, monthText(input.month));
      const board = historiesOf(input.read(PRICES));
      const months = indexMonths(board, input.month);
      const wanted = months.slice(-Math.min(monthsMax, months.length));
      const missing = wanted.filter((month) => !kept.has(monthText(month)));
      const bandless = [...kept].filter(([, block]) => draws > 0 && isBandless(block));
      const work = { input, board, pool, draws, partsMax };
      const newest = months.findLast(
        (month) => missing.includes(month) || bandless.some(([name]) => name === monthText(month)),
      );
      const { made, certainty } = await computed(work, missing, newest);
      const lastComplete = lastCompleteMonth(input.asOf);
      const blocks = new Map(kept);
      for (const [name, block] of bandless) {
        blocks.set(name, withCertainty(block, certainty(doubles(block, "value")[0]!)));
      }
      for (const { index, inputHash } of made) {
        const backfilled = index.month < lastComplete;
        const month = { index, ...certainty(index.value), backfilled, inputHash };
        blocks.set(monthText(index.month), indexBlock(month));
      }
      const names = [...blocks.keys()].sort();
      return new Map([[OVERFITTING_INDEX, names.map((name) => blocks.get(name)!)]]); // its own keys
    },
  };
}

/** Published months of the same version, one block each, up to `through`. */
async function keptMonths(input: StageInput, through: string): Promise<Map<string, TableBlock>> {
  const kept = new Map<string, TableBlock>();
  for await (const tables of input.published()) {
    for (const block of tables.get(OVERFITTING_INDEX) ?? []) {
      const month = constantText(block, "month");
      const isWanted = valueAt(block, "version", 0) === INDEX_VERSION && month <= through;
      if (isWanted && !kept.has(month)) kept.set(month, block);
    }
  }
  return kept;
}

function isBandless(block: TableBlock): boolean {
  return valueAt(block, "null_band_draws", 0) === 0;
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
  readonly made: readonly Made[];
  /** What the draws say about a value. */
  readonly certainty: (value: number) => IndexCertainty;
}

/** The missing months, and the band of the newest month that lacks one. */
async function computed(
  work: Work,
  missing: readonly Month[],
  newest: Month | undefined,
): Promise<Computed> {
  const { board } = work;
  const batches = batchesOf(missing, Math.floor(work.partsMax / board.length));
  const draws = newest === undefined ? 0 : work.draws;
  const steps = { done: 0, total: batches.length * board.length + draws };
  const made: Made[] = [];
  for (const batch of batches) made.push(...(await monthsOf(work, batch, steps)));
  if (newest === undefined || draws === 0) return { made, certainty: () => UNCERTAIN };
  const taken = await drawsOf(work, newest, steps);
  const band = nullBand(newest, taken);
  const certainty = (value: number) => ({
    band,
    standing: standingOf(value, band),
    luckShare: luckShare(value, taken),
  });
  return { made, certainty };
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
