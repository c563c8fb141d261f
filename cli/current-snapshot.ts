import { findCurrent } from "../snapshots/folder.ts";
import type { Manifest } from "../snapshots/manifest.ts";
import { SnapshotError } from "../snapshots/snapshot-error.ts";

/** The folder of the current snapshot. Throws if none was published. */
export async function currentSnapshot(root: string): Promise<string> {
  const dir = await findCurrent(root);
  if (dir !== undefined) return dir;
  const message = `no snapshot was published in "${root}": publish one (hindsight pipeline), or say where they are with --snapshots`;
  throw new SnapshotError(message);
}

/** Says at the end of a report that its prices are made up, if they are. */
export function tellMadeUpPrices({ synthetic, source }: Manifest): void {
  if (!synthetic) return;
  console.log(
    `\nThe prices of this snapshot are made up (source "${source}"): its figures say nothing about real coins.`,
  );
}

/** What a report on a file or a study of a coin says at its end where the prices are made up. */
export const MADE_UP_COIN =
  "The prices of this snapshot are made up: what is said of the coin says nothing about a real one.";
