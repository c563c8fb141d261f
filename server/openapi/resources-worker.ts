/** Entry point of a thread that makes the texts of the open resources, and posts each when it is ready. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ENDPOINTS } from "../routes/endpoints.ts";
import { resourceTexts } from "./resource-texts.ts";

/** No request waits for it. */
const QUIET_PRIORITY = 10;

// On Linux each thread has a priority of its own; elsewhere this would change the whole process's.
if (process.platform === "linux") setPriority(QUIET_PRIORITY);

const port = parentPort!; // this file only ever runs as a worker's entry point
for (const [path, text] of resourceTexts(ENDPOINTS, workerData as string)) {
  port.postMessage([path, await text()]);
}
