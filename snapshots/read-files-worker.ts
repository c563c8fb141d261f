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
 * A slice takes a third of a millisecond. Without a rest behind each, a thread of whatever priority keeps its processor
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
  const reply = answer(shared);
  port.postMessage(reply, "read" in reply ? ownMemoryOf(reply.read.values()) : []);
});

/** What is handed over; shared memory need not be. */
function ownMemoryOf(files: Iterable<ReadFile | undefined>): ArrayBuffer[] {
  return [...files].flatMap((file) => {
    const memory = file?.bytes?.buffer;
    return memory instanceof ArrayBuffer ? [memory] : [];
  });
}

function answer(shared: SharedReading): FilesReply {
  const read = new Map<number, ReadFile | undefined>();
  try {
    for (let place = takeFile(shared); place !== undefined; place = takeFile(shared)) {
      read.set(place, readFile(shared.files[place]!, quietly ? rest : undefined)); // `takeFile` gives places of files
    }
    return { read };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: { message, code } };
  }
}
