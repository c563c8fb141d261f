import type { Origin } from "../../api/attribution.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** Where an answer comes from. With `coin`, one of the snapshot's, it covers that coin alone. */
export function originOf({ id, manifest }: SnapshotData, coin?: SnapshotCoin): Origin {
  return {
    prices: manifest.source,
    snapshot: id,
    asOf: coin?.lastDay ?? manifest.asOf,
    stale: coin?.stale ?? false,
    synthetic: manifest.synthetic,
  };
}
