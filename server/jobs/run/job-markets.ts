import { LRUCache } from "lru-cache";
import type { SnapshotPrices } from "../../../snapshots/price-reader.ts";
import type { JobMarket } from "./dispatcher.ts";

/** Few jobs belong to an older snapshot: those accepted just before a switch or a restart. */
const OLDER_MAX = 2;
/** They are over soon; then their prices are dropped. */
const OLDER_KEPT_MS = 5 * 60_000;

export interface JobMarketsOptions {
  /** The current snapshot. */
  readonly current: () => Prices | undefined;
  /** Opens a published snapshot; rejects if it is no longer kept or is damaged. */
  readonly open: (snapshotId: string) => Promise<Prices>;
}

type Prices = Pick<SnapshotPrices, "id" | "bars">;

/** The columns that jobs run on: of the current snapshot, or read again for a job of an earlier one. */
export class JobMarkets {
  readonly #options: JobMarketsOptions;
  readonly #older = new LRUCache<string, Promise<Prices>>({
    max: OLDER_MAX,
    ttl: OLDER_KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  constructor(options: JobMarketsOptions) {
    this.#options = options;
  }

  /** Undefined if the snapshot is no longer available. */
  async find(snapshotId: string, coin: string): Promise<JobMarket | undefined> {
    const current = this.#options.current();
    const snapshot = current?.id === snapshotId ? current : await this.#open(snapshotId);
    const bars = snapshot?.bars(coin);
    return bars === undefined ? undefined : { bars, snapshotId };
  }

  async #open(snapshotId: string): Promise<Prices | undefined> {
    let opening = this.#older.get(snapshotId);
    if (opening === undefined) {
      opening = this.#options.open(snapshotId);
      this.#older.set(snapshotId, opening);
    }
    try {
      return await opening;
    } catch {
      this.#older.delete(snapshotId);
      return undefined;
    }
  }
}
