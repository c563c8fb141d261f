/** Entry point of a thread that makes the texts of the open resources, and posts each when it is ready. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Doc } from "../pages/library.ts";
import { resourceTexts } from "./resource-texts.ts";

/** What the thread is started with. */
export interface TextsToMake {
  readonly library: readonly Doc[];
  readonly publicUrl: string;
  readonly paths: readonly string[];
}

/** No request waits for it. */
const QUIET_PRIORITY = 10;

// On Linux each thread has a priority of its own; elsewhere this would change the whole process's.
if (process.platform === "linux") setPriority(QUIET_PRIORITY);

const port = parentPort!; // this file only ever runs as a worker's entry point
const { library, publicUrl, paths } = workerData as TextsToMake;
const textOf = resourceTexts(library, publicUrl);
for (const path of paths) port.postMessage([path, textOf(path)]);
