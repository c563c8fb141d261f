import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { SnapshotError, type SnapshotFault } from "./snapshot-error.ts";
import { verifyFiles, type VerifiedFiles, type Wanted } from "./verified-files.ts";

/** What the thread is started with. */
export interface ThreadReading {
  readonly dir: string;
  readonly wanted: Wanted;
  /** Give way to everything else on the machine, above all to a server's own requests. */
  readonly quietly: boolean;
}

/**
 * What the thread sends: each file as soon as it is read, and then the rest, or why there is none; failures cross
 * threads as data. Each file is a message of its own because the engine marks all memory that is handed over, 5 to 10
 * ms per large file, which must not fall into one turn of the event loop.
 */
export type ThreadReply =
  | { readonly name: string; readonly bytes: Uint8Array }
  | Omit<VerifiedFiles, "contents">
  | { readonly fault?: SnapshotFault; readonly message: string; readonly code?: string };

/**
 * `verifyFiles` on a thread of its own. Checksums of hundreds of megabytes keep a core busy for most of a second.
 * Meanwhile a server that opens the next snapshot can answer, and one that is starting can load its code. The thread
 * runs the built `verify-worker.js`; when run from sources (tests), the calling thread reads.
 */
export async function verifyOnThread(
  reading: ThreadReading,
  signal?: AbortSignal,
): Promise<VerifiedFiles> {
  if (!import.meta.url.endsWith(".js")) return await verifyFiles(reading.dir, reading.wanted);
  const thread = startThread(reading);
  const stop = () => void thread.terminate();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  const contents = new Map<string, Uint8Array>();
  try {
    return await new Promise((resolve, reject) => {
      thread.once("error", reject);
      thread.once("exit", () => reject(new Error("the thread that reads the snapshot is gone")));
      thread.on("message", (reply: ThreadReply) => {
        if ("name" in reply) contents.set(reply.name, reply.bytes);
        else if ("manifest" in reply) resolve({ ...reply, contents });
        else if (reply.fault !== undefined) reject(new SnapshotError(reply.message, reply));
        else reject(Object.assign(new Error(reply.message), { code: reply.code }));
      });
    });
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Throws, in plain words, when the system refuses another thread. */
function startThread(workerData: ThreadReading): Worker {
  try {
    const file = fileURLToPath(new URL("./verify-worker.js", import.meta.url));
    return new Worker(file, { workerData });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`the system starts no thread to read the snapshot (${message})`, {
      cause: error,
    });
  }
}
