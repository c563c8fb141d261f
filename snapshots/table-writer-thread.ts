import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Channel, type ChannelMessage } from "../aside/channel.ts";
import type { TableWriter } from "./table-writer.ts";
import type { TableBlock } from "./tables/table.ts";

/**
 * Size of the thread's young generation. Smaller than the engine's default, so that the remains of a table are
 * collected earlier.
 */
const YOUNG_MB = 6;

/**
 * Limit on the blocks that wait for the thread; beyond it, the stage that makes them waits. All of a full board's
 * largest table fits, or a few coins of that of a large board.
 */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A writer on a thread of its own: the caller computes the next tables while the last one is encoded and loaded. The
 * thread runs the built `table-writer-worker.js`; when run from sources (tests), the calling thread does everything.
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
  const call = callsOn(worker);
  const waiting: { readonly bytes: number; readonly done: Promise<void> }[] = [];
  let waitingBytes = 0;
  let failure: { readonly reason: unknown } | undefined;
  const enqueue = (bytes: number, done: Promise<void>) => {
    done.catch((reason: unknown) => (failure ??= { reason }));
    waiting.push({ bytes, done });
    waitingBytes += bytes;
  };
  return {
    async begin(table, texts) {
      enqueue(0, call("begin", table, texts));
    },
    async append(block) {
      enqueue(bytesOf(block), call("append", block));
      while (waitingBytes > WAITING_BYTES_MAX) {
        const { bytes, done } = waiting.shift()!; // not empty: its entries add up to `waitingBytes`
        await done;
        waitingBytes -= bytes;
      }
      if (failure !== undefined) throw failure.reason;
    },
    end: async () => await call("end"),
    finish: async () => await call("finish"),
    async close() {
      await call("close");
      await worker.terminate();
    },
    async abandon() {
      await call("abandon").catch(() => {}); // a thread that is gone has ended
      await worker.terminate();
    },
  };
}

type Call = <Of extends keyof TableWriter>(
  call: Of,
  ...args: Parameters<TableWriter[Of]>
) => Promise<void>;

/** Calls the thread's writer. Once the thread is gone, all calls fail. */
function callsOn(worker: Worker): Call {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const channel = new Channel((message) => worker.postMessage(message), {});
  worker.on("message", (message: ChannelMessage) => channel.received(message));
  worker.on("error", (error) => channel.close(error as Error));
  worker.on("exit", () => channel.close(new Error("the thread that writes the snapshot is gone")));
  return async (call, ...args) => void (await channel.call(call, args));
}

function bytesOf({ columns }: TableBlock): number {
  return Object.values(columns).reduce<number>(
    (sum, data) => sum + (ArrayBuffer.isView(data) ? data.byteLength : 0),
    0,
  );
}
