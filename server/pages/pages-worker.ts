/** Entry point of a thread that makes the pages of a snapshot. */
import { workerData } from "node:worker_threads";
import { openSnapshot } from "../../snapshots/reader.ts";
import { makePages } from "./make-pages.ts";
import { snapshotTexts } from "./site-data.ts";
import type { PagesToMake } from "./snapshot-pages.ts";

const { dir, files, paths, ...about } = workerData as PagesToMake;
const snapshot = await openSnapshot(dir, Promise.resolve(files));
makePages(paths, snapshotTexts(snapshot, about));
