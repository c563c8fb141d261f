import type { Manifest } from "../../snapshots/manifest.ts";
import type { Snapshot } from "../../snapshots/snapshot.ts";

/** What routes read of a snapshot. */
export interface SnapshotData extends Pick<
  Snapshot,
  "id" | "coins" | "bars" | "indicators" | "dca" | "buyHold" | "dataset" | "overfittingIndex"
> {
  readonly manifest: Pick<Manifest, "asOf" | "source" | "synthetic">;
}
