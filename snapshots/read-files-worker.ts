/** Entry point of the thread of `file-reading.ts`: reads what is told and nobody else took, answers, ends. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { FilesReply, ReadingStart } from "./file-reading.ts";
import { readFile, takeFile, type ReadFile, type SharedReading } from "./read-files.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const { quietly } = workerData as ReadingStart;

/** A tenth of a processor that others want: a switch is in no hurry, but has to come. */
const QUIET_PRIORITY = 10;
/**
 * A slice takes a third of a millisecond. Without a rest after each, a thread of whatever priority keeps its processor
 * until the scheduler looks at it again, up to 4 ms, and a request that comes in waits for it.
 */
const REST_MS = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

function rest(): void {
  Atomics.wait(never, 0, 0, REST_MS);
}

// On Linux a priority is a thread's own; elsewhere it would be the whole process's.
if (quietly && process.platform === "linux") setPriority(QUIET_PRIORITY);

port.once("message", (shared: SharedReading) => {
  try {
    for (let place = takeFile(shared); place !== undefined; place = takeFile(shared)) {
      const file = readFile(shared.files[place]!, quietly ? rest : undefined); // `takeFile` gives places of files
      tell({ place, file }, file);
    }
    tell("end");
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    tell({ failure: { message, code } });
  }
});

/** Memory of a thread's own is handed over; shared memory need not be. */
function tell(reply: FilesReply, file?: ReadFile): void {
  const memory = file?.bytes?.buffer;
  port.postMessage(reply, memory instanceof ArrayBuffer ? [memory] : []);
}
