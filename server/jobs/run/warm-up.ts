import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import type { SnapshotPrices } from "../../../snapshots/price-reader.ts";
import type { BacktestPool } from "./pool.ts";
import type { BacktestTask } from "./task.ts";

/**
 * Days that a warming run trades: enough for the code to be compiled, few enough to be over in milliseconds.
 */
const DAYS = 1000;

/** One run of each template on a snapshot's first coin, for worker threads to run before there is a job. */
export function warmUpTasks(
  snapshot: Pick<SnapshotPrices, "id" | "coins" | "bars"> | undefined,
): readonly BacktestTask[] {
  const coin = snapshot?.coins[0]?.ticker;
  const bars = coin === undefined ? undefined : snapshot?.bars(coin);
  if (snapshot === undefined || coin === undefined || bars === undefined) return [];
  const startDay = bars.day[Math.max(0, bars.day.length - DAYS)];
  if (startDay === undefined) return [];
  return CATALOGUE.map(({ name: strategy }) => ({
    bars,
    snapshotId: snapshot.id,
    request: { strategy, coin, startDay, startingCashUsd: 10_000, variant: 1 },
  }));
}

/**
 * Runs tasks on every thread of a pool and drops the results, so that the first job does not pay for loading
 * and compiling. Stops once there is a job, because that warms the threads as well.
 */
export async function warmUp(
  pool: BacktestPool,
  tasks: readonly BacktestTask[],
  isWanted: () => boolean,
): Promise<void> {
  for (const task of tasks) {
    if (!isWanted()) return;
    await Promise.all(Array.from({ length: pool.threads }, () => pool.run(task)));
  }
}
