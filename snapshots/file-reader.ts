import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Manifest } from "./manifest.ts";
import type { ReadResult, SharedRead, WantedFile } from "./read-files.ts";
import { readFile, takeFile } from "./read-files.ts";
import { readManifest } from "./read-manifest.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** A request to the thread: the manifest of the snapshot in a folder, or to read files and then to end. */
export type ReaderRequest = { readonly manifestIn: string } | SharedRead;

/**
 * What the thread sends: the manifest, or what is wrong with it; each file, by its index, as soon as it is read, and then
 * the end. Failures cross threads as data. Each file is a message of its own because handing over memory makes the engine
 * mark all that it holds, 5 to 10 ms per large file; those must not fall into one turn of the event loop.
 */
export type ReaderReply =
  | { readonly manifest: Manifest }
  | { readonly problem: string }
  | { readonly place: number; readonly file: ReadResult }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } }
  | { readonly isEnd: true };

/** What the thread is started with. */
export interface ReaderStart {
  readonly quietly: boolean;
}

/**
 * Reads a list of files once, on a thread of its own. Checksums of hundreds of megabytes keep a core busy
 * for most of a second. Meanwhile a server that opens the next snapshot can answer, and one that is
 * starting can load its code.
 *
 * Starting the thread takes as long as reading some tens of megabytes, so the constructor starts it and
 * `read` tells it what to read once that is known. The thread runs the built `read-files-worker.js`; when
 * run from sources (tests), the calling thread reads.
 */
export class FileReader {
  readonly #thread: Worker | undefined;
  readonly #quietly: boolean;
  readonly #helped = new Map<number, ReadResult>();
  #shared: SharedRead | undefined = undefined;
  #helping: Promise<void> | undefined = undefined;

  /**
   * `quietly` gives way to everything else on the machine, above all to a server's own requests. Without
   * `threaded` the calling thread reads, which is enough for a few megabytes.
   */
  constructor({ quietly = false, threaded = import.meta.url.endsWith(".js") } = {}) {
    this.#quietly = quietly;
    if (!threaded) return;
    this.#thread = startThread({ quietly });
    this.#thread.on("error", () => {}); // `read` fails with it
  }

  /**
   * The manifest of the snapshot in a folder. A thread that reads quietly reads it too, because with thousands of coins
   * to decode it takes 25 ms; a caller that only waits for it does so itself, while the thread starts.
   */
  async manifest(dir: string): Promise<Manifest> {
    if (this.#thread === undefined || !this.#quietly) return await readManifest(dir);
    return await askFor(this.#thread, { manifestIn: dir }, (reply, resolve) => {
      if ("manifest" in reply) resolve(reply.manifest);
    });
  }

  /** Reads every file to its end, returns the results in the order of `files`, and ends the thread. */
  async read(files: readonly WantedFile[]): Promise<readonly ReadResult[]> {
    this.#shared = { files, taken: new Int32Array(new SharedArrayBuffer(4)) };
    try {
      if (this.#thread === undefined) void this.help();
      const byThread = this.#thread && (await filesFrom(this.#thread, this.#shared));
      await this.#helping;
      return files.map((_, place) => byThread?.get(place) ?? this.#helped.get(place));
    } finally {
      this.close();
    }
  }

  /**
   * Takes part in the reading on the calling thread, for a caller that can only wait: one file per turn of
   * the event loop until none is left.
   */
  help(): Promise<void> {
    this.#helping ??= this.#help();
    this.#helping.catch(() => {}); // `read` throws it
    return this.#helping;
  }

  /** Ends the thread when there is nothing left to read. */
  close(): void {
    void this.#thread?.terminate();
  }

  async #help(): Promise<void> {
    const shared = this.#shared;
    if (shared === undefined) return; // `read` was not called yet
    for (let place = takeFile(shared); place !== undefined; place = takeFile(shared)) {
      this.#helped.set(place, readFile(shared.files[place]!)); // `takeFile` returns indices of files
      await setImmediate();
    }
  }
}

/** Throws, in plain words, where the system refuses a thread: the process has as many as it may have. */
function startThread(workerData: ReaderStart): Worker {
  const file = fileURLToPath(new URL("./read-files-worker.js", import.meta.url));
  try {
    return new Worker(file, { workerData });
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`the system starts no thread to read the snapshot (${message})`, {
      cause: error,
    });
  }
}

function filesFrom(thread: Worker, shared: SharedRead): Promise<ReadonlyMap<number, ReadResult>> {
  const read = new Map<number, ReadResult>();
  return askFor(thread, shared, (reply, resolve) => {
    if ("file" in reply) read.set(reply.place, reply.file);
    else if ("isEnd" in reply) resolve(read);
  });
}

/** What the thread answers to a request, which `take` puts together from the replies. */
async function askFor<Answer>(
  thread: Worker,
  request: ReaderRequest,
  take: (reply: ReaderReply, resolve: (answer: Answer) => void) => void,
): Promise<Answer> {
  let onReply: (reply: ReaderReply) => void = () => {};
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const gone = () => reject(new Error("the thread that reads the snapshot is gone"));
      if (thread.threadId < 0) gone(); // it ended before it was asked
      thread.once("error", reject).once("exit", gone);
      onReply = (reply) => {
        if ("failure" in reply) reject(failureOf(reply.failure));
        else if ("problem" in reply) reject(new SnapshotError(reply.problem));
        else take(reply, resolve);
      };
      thread.on("message", onReply);
      thread.postMessage(request, []); // transfers nothing
    });
  } finally {
    thread.off("message", onReply);
  }
}

function failureOf({ message, code }: { message: string; code: string | undefined }): Error {
  return Object.assign(new Error(message), { code });
}
