/** Entry point of the thread of `table-writer-thread.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import type { WriterReply, WriterRequest } from "./table-writer-thread.ts";
import { openTableWriter } from "./table-writer.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const opened = openTableWriter((workerData as { folder: string }).folder);
opened.catch(() => {}); // each request meets it

port.on("message", (request: WriterRequest) => {
  void answer(request).then((reply) => port.postMessage(reply));
});

async function answer({ id, table, end }: WriterRequest): Promise<WriterReply> {
  try {
    const writer = await opened;
    if (table !== undefined) await writer.write(table.table, table.blocks);
    else await (end === "close" ? writer.close() : writer.abandon());
    return { id };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { id, failure: { message, code } };
  }
}
