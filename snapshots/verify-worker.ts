/** Entry point of the thread of `verify-on-thread.ts`: reads files of a snapshot, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "./lower-priority.ts";
import { SnapshotError } from "./snapshot-error.ts";
import { verifyFiles } from "./verified-files.ts";
import type { ThreadReading, ThreadReply } from "./verify-on-thread.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const { dir, wanted, quietly } = workerData as ThreadReading;

/** Still gets a tenth of a busy processor: switching snapshots is not urgent, but has to finish. */
const QUIET_PRIORITY = 10;
/**
 * A slice takes a third of a millisecond. Without a rest after each, a thread of any priority keeps its processor
 * until the scheduler looks again, which takes up to 4 ms, and an incoming request would wait for that.
 */
const REST_MS = 1;
const never = new Int32Array(new SharedArrayBuffer(4));
const rest = quietly ? () => void Atomics.wait(never, 0, 0, REST_MS) : undefined;

if (quietly) lowerPriority(QUIET_PRIORITY);

const send = (reply: ThreadReply) => port.postMessage(reply);
try {
  const take = (name: string, bytes: Uint8Array) => send({ name, bytes });
  const { contents: _, ...read } = await verifyFiles(dir, wanted, { rest, take });
  send(read);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  const fault = error instanceof SnapshotError && { fault: error.fault };
  send({ ...fault, message, ...(code !== undefined && { code }) });
}
