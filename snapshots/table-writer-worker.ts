/** Entry point of the thread of `table-writer-thread.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import type { WriterReply, WriterRequest } from "./table-writer-thread.ts";
import { systemCodeOf } from "./system-code.ts";
import { openTableWriter } from "./table-writer.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const opened = openTableWriter((workerData as { folder: string }).folder);
opened.catch(() => {}); // each request fails with it

port.on("message", (request: WriterRequest) => {
  void answer(request).then((reply) => port.postMessage(reply));
});

/** Starts the calls in the order of the requests. */
async function answer({ id, call, args }: WriterRequest): Promise<WriterReply> {
  try {
    const writer = await opened;
    await (writer[call] as (...args: readonly unknown[]) => Promise<void>)(...args);
    return { id };
  } catch (error) {
    const { message } = error as Error;
    return { id, failure: { message, code: systemCodeOf(error) } };
  }
}
