/**
 * Entry point of the thread of `file-reader.ts`: reads a manifest if requested, then the files that are not
 * taken yet, and ends.
 */
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { ReaderReply, ReaderRequest, ReaderStart } from "./file-reader.ts";
import type { Manifest } from "./manifest.ts";
import { readFile, takeFile, type SharedRead } from "./read-files.ts";
import { SnapshotError } from "./snapshot-error.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const { quietly } = workerData as ReaderStart;

/**
 * Leaves it a tenth of a processor that others want: switching snapshots is not urgent, but has to finish.
 */
const QUIET_PRIORITY = 10;
/**
 * A slice takes a third of a millisecond. Without a rest after each, a thread of any priority keeps its
 * processor until the scheduler looks again, which takes up to 4 ms, and an incoming request would wait for
 * that.
 */
const REST_MS = 1;
const never = new Int32Array(new SharedArrayBuffer(4));

function rest(): void {
  Atomics.wait(never, 0, 0, REST_MS);
}

// On Linux each thread has a priority of its own; elsewhere this would change the whole process.
if (quietly && process.platform === "linux") setPriority(QUIET_PRIORITY);

port.on("message", (request: ReaderRequest) => void answer(request));

async function answer(request: ReaderRequest): Promise<void> {
  try {
    if ("manifestIn" in request) tell({ manifest: await manifestIn(request.manifestIn) });
    else readFiles(request);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof SnapshotError) tell({ problem: message });
    else tell({ failure: { message, code } });
  }
}

/** What it takes is loaded only here: a program that starts reads the manifest itself, and waits for this thread. */
async function manifestIn(dir: string): Promise<Manifest> {
  const { readManifest } = await import("./read-manifest.ts");
  return await readManifest(dir);
}

function readFiles(shared: SharedRead): void {
  for (let place = takeFile(shared); place !== undefined; place = takeFile(shared)) {
    const file = readFile(shared.files[place]!, quietly ? rest : undefined); // `takeFile` gives indices
    tell({ place, file });
  }
  tell({ isEnd: true });
  port.close();
}

function tell(reply: ReaderReply): void {
  port.postMessage(reply);
}
