import type { Manifest } from "../../snapshots/manifest.ts";
import type { Snapshot } from "../../snapshots/snapshot.ts";

/** What routes read from a snapshot. */
export interface SnapshotData extends Omit<Snapshot, "manifest"> {
  readonly manifest: Pick<Manifest, "asOf" | "source" | "synthetic">;
  /** Where clients reach the server that answers from it, without a trailing slash. Links begin with it. */
  readonly publicUrl?: string;
  /** Whether the operator keeps daily prices to himself. */
  readonly withholdsPrices?: boolean | undefined;
}
