import type { Worker } from "node:worker_threads";
import { CompressedBody } from "../http/compressed-body.ts";
import type { MadePage } from "./make-pages.ts";

/** Where pages come from. */
export interface PageMaker {
  /** The page at one of the paths, as soon as it is made. */
  body(path: string): Promise<CompressedBody>;
}

interface Asked {
  readonly promise: Promise<CompressedBody>;
  readonly resolve: (body: CompressedBody) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Pages that a thread makes, all of them once it is started, so that making them never holds up the event loop. It
 * starts when told or with the first page that is asked for, and ends when all are made. What failed is tried again when
 * it is asked for again.
 */
export class ThreadPages implements PageMaker {
  readonly #start: (paths: readonly string[]) => Worker;
  readonly #left: Set<string>;
  readonly #made = new Map<string, CompressedBody>();
  readonly #asked = new Map<string, Asked>();
  #thread: Worker | undefined;

  /** `start` starts a thread that calls `makePages` with these paths. */
  constructor(paths: readonly string[], start: (paths: readonly string[]) => Worker) {
    this.#left = new Set(paths);
    this.#start = start;
  }

  body(path: string): Promise<CompressedBody> {
    const made = this.#made.get(path);
    if (made !== undefined) return Promise.resolve(made);
    const asked = this.#asked.get(path);
    if (asked !== undefined) return asked.promise;
    const wanted = newAsked();
    this.#asked.set(path, wanted);
    if (this.#thread === undefined) this.start();
    else this.#thread.postMessage(path, []);
    return wanted.promise;
  }

  /** Begins to make all that are left. */
  start(): void {
    if (this.#thread !== undefined || this.#left.size === 0) return;
    const thread = this.#start([...new Set([...this.#asked.keys(), ...this.#left])]);
    this.#thread = thread;
    thread.unref();
    thread.on("message", (made: MadePage) => this.#take(made));
    thread.on("error", (error) => {
      for (const path of this.#asked.keys()) this.#take([path, error as Error]);
    });
    thread.on("exit", () => {
      this.#thread = undefined;
      if (this.#asked.size > 0) this.start(); // asked for as it ended
    });
  }

  /** Ends the thread: nobody will ask any more. */
  async stop(): Promise<void> {
    this.#left.clear();
    await this.#thread?.terminate();
  }

  #take([path, made]: MadePage): void {
    const asked = this.#asked.get(path);
    this.#asked.delete(path);
    if (made instanceof Error) {
      asked?.reject(made);
      return;
    }
    this.#left.delete(path);
    const body = new CompressedBody(made);
    this.#made.set(path, body);
    asked?.resolve(body);
  }
}

function newAsked(): Asked {
  let [resolve, reject]: [Asked["resolve"], Asked["reject"]] = [() => {}, () => {}];
  const promise = new Promise<CompressedBody>((resolved, rejected) => {
    [resolve, reject] = [resolved, rejected];
  });
  return { promise, resolve, reject };
}
