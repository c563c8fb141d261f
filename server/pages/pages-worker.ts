/** Entry point of a thread that makes the pages of a snapshot. */
import { workerData } from "node:worker_threads";
import { openSnapshot } from "../../snapshots/reader.ts";
import { makePages } from "./make-pages.ts";
import { snapshotTexts, type SnapshotTexts } from "./snapshot-texts.ts";

/** What the thread is started with. */
export interface PagesToMake extends SnapshotTexts {
  /** The folder of the snapshot. */
  readonly dir: string;
  readonly paths: readonly string[];
}

const { dir, paths, ...about } = workerData as PagesToMake;
const snapshot = await openSnapshot(dir);
makePages(paths, snapshotTexts(snapshot, about));
