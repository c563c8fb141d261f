/** Entry point of a thread that starts the processes of checks, one at a time: see `run-check.ts`. */
import { parentPort } from "node:worker_threads";
import { lowerPriority } from "../../aside/lower-priority.ts";
import { STOP, type CheckReply } from "./check-task.ts";
import { answerOfProcess, type ProcessTask } from "../../aside/limited-process.ts";

/** Below everything else on the machine. */
const IDLE_PRIORITY = 19;

lowerPriority(IDLE_PRIORITY); // which the process inherits
const port = parentPort!; // this file only ever runs as a worker's entry point
let stopping = new AbortController();
port.on("message", (message: ProcessTask | typeof STOP) => {
  if (message === STOP) return stopping.abort();
  stopping = new AbortController();
  void answerOfProcess<CheckReply>(message, stopping.signal).then((outcome) =>
    port.postMessage(outcome),
  );
});
