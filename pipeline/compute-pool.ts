import { sameBars, type CoinHistory } from "../quant/bars.ts";
import { coinRecord } from "../quant/dataset/coin-record.ts";
import { DATASET_COINS_MAX, RUNS_PER_COIN, datasetWindow } from "../quant/dataset/definition.ts";
import { gridFills, type GridFills } from "../quant/engine/grid-fills.ts";
import { coinMonth, coinRuns } from "../quant/overfitting/index-coin.ts";
import { indexDraw, type IndexDrawJob } from "../quant/overfitting/index-draw.ts";
import { coinPremiums } from "../quant/robustness/coin-premiums.ts";
import { robustnessDraw } from "../quant/robustness/draw.ts";
import { STUDIED } from "../quant/strategies/studied.ts";

/**
 * This thread's memory for the returns of one coin's runs, which the next computation overwrites. It takes 6 MB for
 * eight years of prices, and the garbage collector would let several of them pile up.
 */
let returns = new Float64Array();

function returnsOfDays(days: number): Float64Array {
  if (returns.length < RUNS_PER_COIN * days) returns = new Float64Array(RUNS_PER_COIN * days);
  return returns;
}

/** A coin's history and the fills of its runs. */
interface RunJob {
  readonly history: CoinHistory;
  readonly fills: GridFills;
}

/** A coin's part in several months of the index. Each last day must have the warm-up and both periods before it. */
interface IndexCoinJob {
  readonly history: CoinHistory;
  readonly lastDays: readonly number[];
}

/** What can be computed, by name. A worker thread exports the same. */
export const COMPUTATIONS = {
  datasetCoin: ({ history, fills }: RunJob) =>
    coinRecord(history, { fills, panel: returnsOfDays(history.bars.day.length) }),
  indexCoin: ({ history: { bars }, lastDays, fills }: IndexCoinJob & RunJob) => {
    const runs = coinRuns(bars, { fills, panel: returnsOfDays(bars.day.length) });
    return lastDays.map((lastDay) => coinMonth(runs, lastDay));
  },
  indexDraw: (job: IndexDrawJob) => indexDraw(job, returnsOfDays(job.panel.days)),
  coinPremiums,
  robustnessDraw,
} as const;

type Name = keyof typeof COMPUTATIONS;
type Job<Of extends Name> = Parameters<(typeof COMPUTATIONS)[Of]>[0];
type Result<Of extends Name> = ReturnType<(typeof COMPUTATIONS)[Of]>;

/**
 * The heavy arithmetic of a run, in independent pieces: on this thread or on several (`compute-threads.ts`). The
 * results have the same bits either way.
 */
export interface ComputePool {
  /** How many pieces are worth running at once. */
  readonly parallel: number;
  datasetCoin(history: CoinHistory): Promise<Result<"datasetCoin">>;
  indexCoin(job: IndexCoinJob): Promise<Result<"indexCoin">>;
  indexDraw(job: Job<"indexDraw">): Promise<Result<"indexDraw">>;
  coinPremiums(job: Job<"coinPremiums">): Promise<Result<"coinPremiums">>;
  robustnessDraw(job: Job<"robustnessDraw">): Promise<Result<"robustnessDraw">>;
  /** Ends the threads. Without it the process would not end. */
  close(): Promise<void>;
}

/** Runs one computation, here or on another thread. */
type Compute = <Of extends Name>(name: Of, job: Job<Of>) => Promise<Result<Of>>;

/**
 * A pool that runs its computations through `compute`. The calling thread itself follows the rules of a coin's runs,
 * because its indicators are optimised already, and every other thread would have to optimise them again. The rules
 * are a fifth of a first run's work, so the threads seldom wait for it.
 *
 * Index and dataset make the same runs of a coin. So the fills that the index needs are kept until the dataset uses
 * them, some 200 KB per coin, for the coins with the longest histories, which the dataset takes.
 */
export function computePoolOf(
  compute: Compute,
  { parallel, close }: Pick<ComputePool, "parallel" | "close">,
): ComputePool {
  const known = new Map<string, RunJob>();
  return {
    parallel,
    close,
    async datasetCoin(history) {
      const last = known.get(history.coin);
      known.delete(history.coin);
      const isSame = last !== undefined && sameBars(last.history.bars, history.bars);
      return await compute("datasetCoin", {
        history,
        fills: isSame ? last.fills : fillsOf(history),
      });
    },
    async indexCoin(job) {
      const { history } = job;
      const fills = fillsOf(history);
      known.set(history.coin, { history, fills });
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
function shortest(known: Iterable<RunJob>): string {
  const histories = [...known].map(({ history }) => history);
  const days = ({ bars }: CoinHistory) => bars.day.length;
  return histories.reduce((least, other) => (days(other) <= days(least) ? other : least)).coin;
}

/** Everything on the calling thread, one piece after the other. */
export const THIS_THREAD = computePoolOf(
  async (name, job) => COMPUTATIONS[name](job as never) as Result<typeof name>,
  { parallel: 1, close: async () => {} },
);
