import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { TableWriter } from "./table-writer.ts";
import type { ConstantTexts, Table, TableBlock } from "./tables/table.ts";

/** A request to the thread. Replies come in any order and carry the same number. */
export type WriterRequest = { readonly id: number } & WriterWork;

export type WriterWork =
  | { readonly begin: Table; readonly texts: ConstantTexts }
  | { readonly append: TableBlock }
  | { readonly end: "table" | "all" | "close" | "abandon" };

export interface WriterReply {
  readonly id: number;
  /** Failures cross threads as data. */
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/**
 * Size of the thread's young generation. Smaller than the engine's default, so that the remains of a table
 * are collected earlier.
 */
const YOUNG_MB = 6;

/**
 * Limit on the blocks that wait for the thread; beyond it, their producer waits. All of a full board's
 * largest table fits, or a few coins of that of a large board.
 */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A writer on a thread of its own: the caller computes the next tables while the last one is encoded and
 * loaded. The thread runs the built `table-writer-worker.js`; when run from sources (tests), the calling
 * thread does everything.
 */
export async function openThreadedTableWriter(folder: string): Promise<TableWriter> {
  if (!import.meta.url.endsWith(".js")) {
    // Loaded only when run from sources: DuckDB and Arrow take half a second to load, which the thread
    // otherwise spends during the first stages.
    const { openTableWriter } = await import("./table-writer.ts");
    return await openTableWriter(folder);
  }
  const worker = new Worker(fileURLToPath(new URL("./table-writer-worker.js", import.meta.url)), {
    workerData: { folder },
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const waiting = new Map<number, (failure: Error | undefined) => void>();
  let lost: Error | undefined;
  let asked = 0;
  const lose = (error: Error) => {
    lost ??= error;
    for (const settle of waiting.values()) settle(lost);
    waiting.clear();
  };
  worker.on("message", ({ id, failure }: WriterReply) => {
    waiting.get(id)?.(failure && Object.assign(new Error(failure.message), { code: failure.code }));
    waiting.delete(id);
  });
  worker.on("error", lose);
  worker.on("exit", () => lose(new Error("the thread that writes the snapshot is gone")));
  const ask = async (work: WriterWork) => {
    if (lost !== undefined) throw lost;
    const id = ++asked;
    const answered = new Promise<void>((resolve, reject) => {
      waiting.set(id, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, ...work });
    await answered;
  };
  const backlog = new Backlog();
  return {
    begin(table, texts) {
      backlog.add(0, ask({ begin: table, texts }));
      return {
        async append(block) {
          backlog.add(bytesOf(block), ask({ append: block }));
          await backlog.room();
        },
        end: async () => await ask({ end: "table" }),
      };
    },
    finish: async () => await ask({ end: "all" }),
    async close() {
      await ask({ end: "close" });
      await worker.terminate();
    },
    async abandon() {
      await ask({ end: "abandon" }).catch(() => {}); // a thread that is gone has ended
      await worker.terminate();
    },
  };
}

/** Requests that are not done yet. */
class Backlog {
  readonly #under: { readonly bytes: number; readonly done: Promise<void> }[] = [];
  #bytes = 0;
  #failure: { readonly reason: unknown } | undefined;

  add(bytes: number, done: Promise<void>): void {
    done.catch((reason: unknown) => (this.#failure ??= { reason }));
    this.#under.push({ bytes, done });
    this.#bytes += bytes;
  }

  /** Waits until there is room for more. Throws what any finished request failed with. */
  async room(): Promise<void> {
    while (this.#bytes > WAITING_BYTES_MAX) {
      const { bytes, done } = this.#under.shift()!; // not empty: the bytes of its entries add up to `#bytes`
      await done;
      this.#bytes -= bytes;
    }
    if (this.#failure !== undefined) throw this.#failure.reason;
  }
}

function bytesOf({ columns }: TableBlock): number {
  const sizes = Object.values(columns).map((data) =>
    ArrayBuffer.isView(data) ? data.byteLength : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
