import { LRUCache } from "lru-cache";
import type { Bars } from "../../quant/bars.ts";
import type { SnapshotPrices } from "../../snapshots/price-reader.ts";

/** Few jobs belong to an older snapshot: only those accepted just before a switch or a restart. */
const OLDER_MAX = 2;
/** Prices of older snapshots are dropped after this time without a job. */
const OLDER_KEPT_MS = 5 * 60_000;

type Prices = Pick<SnapshotPrices, "id" | "bars">;

/**
 * A function that finds the prices that a job runs on: in the current snapshot, or in an older one, which `open` reads
 * again. Throws what `open` throws.
 */
export function jobMarkets(
  current: () => Prices | undefined,
  open: (snapshotId: string) => Promise<Prices>,
): (snapshotId: string, coin: string) => Promise<Bars> {
  const older = new LRUCache<string, Prices>({
    max: OLDER_MAX,
    ttl: OLDER_KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    fetchMethod: open,
    ignoreFetchAbort: true, // a snapshot that two others evict is still read for its job
  });
  return async (snapshotId, coin) => {
    const now = current();
    const snapshot = now?.id === snapshotId ? now : await older.fetch(snapshotId);
    const bars = snapshot?.bars(coin);
    if (bars === undefined) throw new Error(`snapshot "${snapshotId}" has no coin "${coin}"`);
    return bars;
  };
}
