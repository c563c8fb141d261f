import type { Origin } from "../../api/attribution.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import type { Snapshot, SnapshotCoin } from "../../snapshots/snapshot.ts";

/** A snapshot as routes read it. */
export interface SnapshotData extends Omit<Snapshot, "manifest"> {
  readonly manifest: Pick<Manifest, "asOf" | "source" | "synthetic">;
  /** The server's address for links, without a trailing slash. */
  readonly publicUrl?: string;
  /** Whether answers omit daily prices, which the operator may not be allowed to pass on. */
  readonly withholdsPrices?: boolean | undefined;
}

/** A function whose result is computed once for each object, and kept for as long as the object exists. */
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

/** The origin of an answer, about one coin of the snapshot or about all of it. */
export function originOf({ id, manifest }: SnapshotData, coin?: SnapshotCoin): Origin {
  return {
    prices: manifest.source,
    snapshot: id,
    asOf: coin?.lastDay ?? manifest.asOf,
    stale: coin?.stale ?? false,
    synthetic: manifest.synthetic,
  };
}
