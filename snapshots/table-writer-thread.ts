import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { TableWriter } from "./table-writer.ts";
import type { Table, TableBlock } from "./tables/table.ts";

/** What is asked of the thread, answered in any order under the same number. */
export interface WriterRequest {
  readonly id: number;
  readonly table?: { readonly table: Table; readonly blocks: readonly TableBlock[] };
  /** Where there is no table. */
  readonly end?: "close" | "abandon";
}

export interface WriterReply {
  readonly id: number;
  /** Failures cross threads as data. */
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/** Young objects of the thread: what is left of a table is let go of earlier than by the engine's own choice. */
const YOUNG_MB = 6;

/**
 * A writer on a thread of its own: whoever computes the tables goes on while the last one is encoded and loaded. The thread runs
 * the built `table-writer-worker.js`; from sources (tests) everything is done on the calling thread.
 */
export async function openThreadedTableWriter(folder: string): Promise<TableWriter> {
  if (!import.meta.url.endsWith(".js")) {
    // Not loaded otherwise: DuckDB and Arrow take half a second, which the thread has beside the first stages.
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
  const ask = async (request: Omit<WriterRequest, "id">) => {
    if (lost !== undefined) throw lost;
    const id = ++asked;
    const answered = new Promise<void>((resolve, reject) => {
      waiting.set(id, (failure) => (failure === undefined ? resolve() : reject(failure)));
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, ...request });
    await answered;
  };
  return {
    write: async (table, blocks) => await ask({ table: { table, blocks } }),
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
