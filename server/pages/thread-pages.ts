import type { Worker } from "node:worker_threads";
import { CompressedBody } from "../http/compressed-body.ts";
import type { MadePage } from "./make-pages.ts";

/** Where pages come from. */
export interface PageMaker {
  /** The page at one of the paths, as soon as it is made. */
  body(path: string): Promise<CompressedBody>;
}

/** Pages and pictures that are not made with the others and are kept. Those of previews are some 50 KB each. */
const FURTHER_MAX = 200;

interface Wanted {
  readonly promise: Promise<CompressedBody>;
  readonly resolve: (body: CompressedBody) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Pages that a thread makes, so that making them never holds up the event loop. The thread starts when `start` is called
 * or the first page is wanted, makes all pages, and ends. A page that failed is tried again when it is wanted again.
 */
export class ThreadPages implements PageMaker {
  readonly #start: (paths: readonly string[]) => Worker;
  /** The paths of pages that are not made yet. */
  readonly #left: Set<string>;
  /** Pages that are made or wanted. */
  readonly #pages = new Map<string, Wanted>();
  /** Paths that were wanted without being among the first ones, the oldest first. */
  readonly #further: string[] = [];
  #thread: Worker | undefined;

  /** `start` starts a thread that calls `makePages` with these paths. */
  constructor(paths: readonly string[], start: (paths: readonly string[]) => Worker) {
    this.#left = new Set(paths);
    this.#start = start;
  }

  body(path: string): Promise<CompressedBody> {
    const known = this.#pages.get(path);
    if (known !== undefined) return known.promise;
    this.#addFurther(path);
    const { promise } = this.#want(path);
    if (this.#thread === undefined) this.start();
    else this.#thread.postMessage(path, []);
    return promise;
  }

  /** Begins to make all that are left, those first that are wanted. */
  start(): void {
    if (this.#thread !== undefined || this.#left.size === 0) return;
    const thread = this.#start([...new Set([...this.#waiting, ...this.#left])]);
    this.#thread = thread;
    thread.unref();
    thread.on("message", (made: MadePage) => this.#take(made));
    thread.on("error", (error) => {
      for (const path of this.#waiting) this.#take([path, error as Error]);
    });
    thread.on("exit", () => {
      this.#thread = undefined;
      if (this.#waiting.length > 0) this.start(); // wanted while it ended
    });
  }

  /** Ends the thread. Pages that are wanted already are still made, by another one; no more may be wanted. */
  async stop(): Promise<void> {
    const waiting = this.#waiting;
    this.#left.clear();
    for (const path of waiting) this.#left.add(path);
    await this.#thread?.terminate();
  }

  /** Takes a path that is not made with the others. Only the last ones are kept. */
  #addFurther(path: string): void {
    if (this.#left.has(path)) return;
    this.#left.add(path);
    this.#further.push(path);
    if (this.#further.length <= FURTHER_MAX) return;
    const oldest = this.#further.shift()!; // there are some
    if (!this.#left.has(oldest)) this.#pages.delete(oldest);
  }

  get #waiting(): readonly string[] {
    return [...this.#pages.keys()].filter((path) => this.#left.has(path));
  }

  #want(path: string): Wanted {
    let [resolve, reject]: [Wanted["resolve"], Wanted["reject"]] = [() => {}, () => {}];
    const promise = new Promise<CompressedBody>((resolved, rejected) => {
      [resolve, reject] = [resolved, rejected];
    });
    const wanted = { promise, resolve, reject };
    this.#pages.set(path, wanted);
    return wanted;
  }

  #take([path, made]: MadePage): void {
    if (!this.#left.has(path)) return; // made twice, because it was wanted just as it was made
    const wanted = this.#pages.get(path);
    if (made instanceof Error) {
      this.#pages.delete(path);
      wanted?.reject(made);
      return;
    }
    this.#left.delete(path);
    (wanted ?? this.#want(path)).resolve(new CompressedBody(made));
  }
}
