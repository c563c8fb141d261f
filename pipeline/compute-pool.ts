import type { CoinHistory } from "../quant/bars.ts";
import { sameBars } from "../quant/bars.ts";
import { coinRecord } from "../quant/dataset/coin-record.ts";
import { DATASET_COINS_MAX, RUNS_PER_COIN, datasetWindow } from "../quant/dataset/definition.ts";
import type { CoinRecord } from "../quant/dataset/record.ts";
import { gridFills } from "../quant/engine/grid-fills.ts";
import type { GridFills } from "../quant/engine/grid-fills.ts";
import type { CoinMonth } from "../quant/overfitting/index-coin.ts";
import { coinMonth, coinRuns } from "../quant/overfitting/index-coin.ts";
import type { IndexDrawJob } from "../quant/overfitting/index-draw.ts";
import { indexDraw } from "../quant/overfitting/index-draw.ts";
import type { IndexValue } from "../quant/overfitting/index-value.ts";
import { coinPremiums } from "../quant/robustness/coin-premiums.ts";
import type { CoinPremiums, PremiumsJob } from "../quant/robustness/coin-premiums.ts";
import { robustnessDraw } from "../quant/robustness/draw.ts";
import type { RobustnessDraw, RobustnessDrawJob } from "../quant/robustness/draw.ts";
import { STUDIED } from "../quant/strategies/studied.ts";

/** A coin's part in several months of the index. */
interface IndexCoinJob {
  readonly history: CoinHistory;
  /** Last days of the months; each must have the warm-up and both periods before it. */
  readonly lastDays: readonly number[];
}

/**
 * The heavy arithmetic of a run, in independent pieces: on this thread or on several
 * (`compute-threads.ts`). The results have the same bits either way.
 */
export interface ComputePool {
  /** How many pieces are worth running at once. */
  readonly parallel: number;
  datasetCoin(history: CoinHistory): Promise<CoinRecord>;
  indexCoin(job: IndexCoinJob): Promise<readonly CoinMonth[]>;
  indexDraw(job: IndexDrawJob): Promise<IndexValue>;
  coinPremiums(job: PremiumsJob): Promise<CoinPremiums>;
  robustnessDraw(job: RobustnessDrawJob): Promise<RobustnessDraw>;
  /** Ends the threads. Without it the process would not end. */
  close(): Promise<void>;
}

/**
 * Memory of this thread for the returns of one coin's runs; the next computation overwrites them. With eight
 * years of prices it has 6 MB, and the collector would let several of them stand.
 */
let returns = new Float64Array();

function returnsOfDays(days: number): Float64Array {
  if (returns.length < RUNS_PER_COIN * days) returns = new Float64Array(RUNS_PER_COIN * days);
  return returns;
}

/** When the runs of a coin trade, where it is known; otherwise the computation finds it. */
interface KnownFills {
  readonly fills?: GridFills | undefined;
}

/** What can be computed, by name; a worker thread has the same. */
export const COMPUTATIONS = {
  datasetCoin: ({ history, fills }: { readonly history: CoinHistory } & KnownFills) =>
    coinRecord(history, { fills, panel: returnsOfDays(history.bars.day.length) }),
  indexCoin: ({ history: { bars }, lastDays, fills }: IndexCoinJob & KnownFills) => {
    const runs = coinRuns(bars, { fills, panel: returnsOfDays(bars.day.length) });
    return lastDays.map((lastDay) => coinMonth(runs, lastDay));
  },
  indexDraw: (job: IndexDrawJob) => indexDraw(job, returnsOfDays(job.panel.days)),
  coinPremiums,
  robustnessDraw,
} as const;

/** Runs one computation, here or on another thread. */
type Compute = <Name extends keyof typeof COMPUTATIONS>(
  name: Name,
  job: Parameters<(typeof COMPUTATIONS)[Name]>[0],
) => Promise<ReturnType<(typeof COMPUTATIONS)[Name]>>;

/**
 * A pool that runs its computations through `compute`, all but the rules of a coin's runs: the calling thread
 * follows those itself. It has the indicators optimised already, which every thread would have to do for itself, and
 * is seldom waited for: rules are a fifth of a first run's work. Index and dataset make the same runs of a coin. So the
 * fills that the index needs are kept, some 200 KB per coin, until the dataset uses them; only those of the coins with
 * the longest histories, which the dataset takes.
 */
export function computePoolOf(
  compute: Compute,
  { parallel, close }: Pick<ComputePool, "parallel" | "close">,
): ComputePool {
  const known = new Map<string, { readonly history: CoinHistory; readonly fills: GridFills }>();
  return {
    parallel,
    close,
    async datasetCoin(history) {
      const last = known.get(history.coin);
      known.delete(history.coin);
      const isSame = last !== undefined && sameBars(last.history.bars, history.bars);
      const fills = isSame ? last.fills : fillsOf(history);
      return await compute("datasetCoin", { history, fills });
    },
    async indexCoin(job) {
      const fills = fillsOf(job.history);
      known.set(job.history.coin, { history: job.history, fills });
      if (known.size > DATASET_COINS_MAX) known.delete(shortest(known.values()));
      return await compute("indexCoin", { ...job, fills });
    },
    indexDraw: async (job) => await compute("indexDraw", job),
    coinPremiums: async (job) => await compute("coinPremiums", job),
    robustnessDraw: async (job) => await compute("robustnessDraw", job),
  };
}

function fillsOf({ bars }: CoinHistory): GridFills {
  return gridFills(bars, datasetWindow(bars.day.length), STUDIED);
}

/** The coin with the shortest history, which the dataset would take last. */
function shortest(known: Iterable<{ readonly history: CoinHistory }>): string {
  const [first, ...others] = [...known].map(({ history }) => history);
  const days = ({ bars }: CoinHistory) => bars.day.length;
  return others.reduce((least, other) => (days(other) <= days(least) ? other : least), first!).coin;
}

/** Everything on the calling thread, one piece after the other, keeping nothing. */
export const THIS_THREAD: ComputePool = {
  parallel: 1,
  datasetCoin: async (history) => COMPUTATIONS.datasetCoin({ history }),
  indexCoin: async (job) => COMPUTATIONS.indexCoin(job),
  indexDraw: async (job) => COMPUTATIONS.indexDraw(job),
  coinPremiums: async (job) => COMPUTATIONS.coinPremiums(job),
  robustnessDraw: async (job) => COMPUTATIONS.robustnessDraw(job),
  close: async () => {},
};
