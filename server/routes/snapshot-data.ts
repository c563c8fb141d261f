import type { Origin } from "../../api/attribution.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import type { Snapshot, SnapshotCoin } from "../../snapshots/snapshot.ts";

/** What routes read from a snapshot. */
export interface SnapshotData extends Omit<Snapshot, "manifest"> {
  readonly manifest: Pick<Manifest, "asOf" | "source" | "synthetic">;
  /** Where clients reach the server that answers from it, without a trailing slash. Links begin with it. */
  readonly publicUrl?: string;
  /** Whether the operator keeps daily prices to himself. */
  readonly withholdsPrices?: boolean | undefined;
}

/** A function whose result is made once for each object it is given, and kept as long as the object. */
export function oncePerObject<Given extends object, Made extends object | number>(
  make: (given: Given) => Made,
): (given: Given) => Made {
  const known = new WeakMap<Given, Made>();
  return (given) => {
    let made = known.get(given);
    if (made === undefined) {
      made = make(given);
      known.set(given, made);
    }
    return made;
  };
}

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
