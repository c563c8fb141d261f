import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ReadFile, SharedReading, WantedFile } from "./read-files.ts";
import { readFile, takeFile } from "./read-files.ts";

/**
 * What a thread tells: each file by its place as it is read, and the end. Failures cross threads as data. One at a time, because
 * memory that is handed over makes the engine mark what it holds, 5 to 10 ms for each large file: not in one turn.
 */
export type FilesReply =
  | { readonly place: number; readonly file: ReadFile | undefined }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } }
  | "end";

/** What the thread is started with. */
export interface ReadingStart {
  readonly quietly: boolean;
}

/**
 * Reads files on a thread of its own, once: the checksums of hundreds of megabytes take a good part of a second of a
 * core, in which a server that opens the next snapshot answers, and one that starts loads its code. The thread takes
 * as long to start as some tens of megabytes to read, so it is started with this, and told what to read when that is
 * known. It runs the built `read-files-worker.js`; from sources (tests) the calling thread reads.
 */
export class FileReading {
  readonly #thread: Worker | undefined;
  readonly #helped = new Map<number, ReadFile | undefined>();
  #shared: SharedReading | undefined = undefined;
  #helping: Promise<void> | undefined = undefined;

  /**
   * Quietly: standing behind whatever else runs on the machine, a server's own requests above all. Without a thread the calling
   * one reads: for a few megabytes.
   */
  constructor({ quietly = false, threaded = import.meta.url.endsWith(".js") } = {}) {
    if (!threaded) return;
    const file = fileURLToPath(new URL("./read-files-worker.js", import.meta.url));
    this.#thread = new Worker(file, { workerData: { quietly } satisfies ReadingStart });
    this.#thread.on("error", () => {}); // whoever reads meets it, and says so
  }

  /** Reads each file to its end. Answers in the order of the files, and ends the thread. */
  async read(files: readonly WantedFile[]): Promise<readonly (ReadFile | undefined)[]> {
    this.#shared = { files, taken: new Int32Array(new SharedArrayBuffer(4)) };
    try {
      if (this.#thread === undefined) void this.help();
      const byThread = this.#thread && (await replyOf(this.#thread, this.#shared));
      await this.#helping;
      return files.map((_, place) => byThread?.get(place) ?? this.#helped.get(place));
    } finally {
      this.close();
    }
  }

  /**
   * Takes part in the reading on the calling thread, which has nothing better to do: a file a turn of its event loop,
   * until none is left.
   */
  help(): Promise<void> {
    this.#helping ??= this.#help();
    this.#helping.catch(() => {}); // met in `read`
    return this.#helping;
  }

  /** Ends the thread where nobody is going to read. */
  close(): void {
    void this.#thread?.terminate();
  }

  async #help(): Promise<void> {
    const shared = this.#shared;
    if (shared === undefined) return; // nothing is known yet of what there is to read
    for (let place = takeFile(shared); place !== undefined; place = takeFile(shared)) {
      this.#helped.set(place, readFile(shared.files[place]!)); // `takeFile` gives places of files
      await setImmediate();
    }
  }
}

async function replyOf(
  thread: Worker,
  shared: SharedReading,
): Promise<ReadonlyMap<number, ReadFile | undefined>> {
  const read = new Map<number, ReadFile | undefined>();
  await new Promise<void>((resolve, reject) => {
    const gone = () => reject(new Error("the thread that reads the snapshot is gone"));
    if (thread.threadId < 0) gone(); // before it was asked
    thread.once("error", reject).once("exit", gone);
    thread.on("message", (reply: FilesReply) => {
      if (reply === "end") resolve();
      else if ("failure" in reply) reject(failureOf(reply.failure));
      else read.set(reply.place, reply.file);
    });
    thread.postMessage(shared, []); // nothing is handed over
  });
  return read;
}

function failureOf({ message, code }: { message: string; code: string | undefined }): Error {
  return Object.assign(new Error(message), { code });
}
