/** Entry point of a thread that makes the pages of a snapshot. */
import { workerData } from "node:worker_threads";
import { openSnapshot } from "../../snapshots/reader.ts";
import type { VerifiedFiles } from "../../snapshots/verified-files.ts";
import { makePages } from "./make-pages.ts";
import { snapshotTexts, type SnapshotTexts } from "./site-data.ts";

/** What the thread is started with. */
export interface PagesToMake extends SnapshotTexts {
  /** The folder of the snapshot, and its files, whose memory is shared. */
  readonly dir: string;
  readonly files: VerifiedFiles;
  readonly paths: readonly string[];
}

const { dir, files, paths, ...about } = workerData as PagesToMake;
const snapshot = await openSnapshot(dir, Promise.resolve(files));
makePages(paths, snapshotTexts(snapshot, about));
