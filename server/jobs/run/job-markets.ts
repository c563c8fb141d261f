import { LRUCache } from "lru-cache";
import type { Bars } from "../../../quant/bars.ts";
import type { SnapshotPrices } from "../../../snapshots/price-reader.ts";

/** Few jobs belong to an older snapshot: those accepted just before a switch or a restart. */
const OLDER_MAX = 2;
/** They are over soon; then their prices are dropped. */
const OLDER_KEPT_MS = 5 * 60_000;

type Prices = Pick<SnapshotPrices, "id" | "bars">;

/**
 * Finds the columns that a job runs on: those of the current snapshot, or read again with `open` for a job of an earlier
 * one. Undefined if the snapshot is no longer kept or is damaged.
 */
export function jobMarkets(
  current: () => Prices | undefined,
  open: (snapshotId: string) => Promise<Prices>,
): (snapshotId: string, coin: string) => Promise<Bars | undefined> {
  const older = new LRUCache<string, Prices>({
    max: OLDER_MAX,
    ttl: OLDER_KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    fetchMethod: open,
    ignoreFetchAbort: true, // a snapshot that two others push out is still read for its job
  });
  return async (snapshotId, coin) => {
    const now = current();
    const snapshot =
      now?.id === snapshotId ? now : await older.fetch(snapshotId).catch(() => undefined);
    return snapshot?.bars(coin);
  };
}
