/** Entry point of the thread of `file-reading.ts`: reads what is told and nobody else took, answers, ends. */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { FilesReply, ReadingStart } from "./file-reading.ts";
import { readFile, takeFile, type ReadFile, type SharedReading } from "./read-files.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point

/** A tenth of a processor that others want: a switch is in no hurry, but has to come. */
const QUIET_PRIORITY = 10;

// On Linux a priority is a thread's own; elsewhere it would be the whole process's.
if ((workerData as ReadingStart).quietly && process.platform === "linux") {
  setPriority(QUIET_PRIORITY);
}

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
      read.set(place, readFile(shared.files[place]!)); // `takeFile` gives places of files
    }
    return { read };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: { message, code } };
  }
}
