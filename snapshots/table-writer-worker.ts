/** Entry point of the thread of `table-writer-thread.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import type { WriterReply, WriterRequest, WriterWork } from "./table-writer-thread.ts";
import type { OpenTable, TableWriter } from "./table-writer.ts";
import { systemCodeOf } from "./system-code.ts";
import { openTableWriter } from "./table-writer.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const opened = openTableWriter((workerData as { folder: string }).folder);
let table: OpenTable | undefined;
opened.catch(() => {}); // each request fails with it

port.on("message", (request: WriterRequest) => {
  void answer(request).then((reply) => port.postMessage(reply));
});

async function answer({ id, ...work }: WriterRequest): Promise<WriterReply> {
  try {
    await done(await opened, work);
    return { id };
  } catch (error) {
    const { message } = error as Error;
    return { id, failure: { message, code: systemCodeOf(error) } };
  }
}

/** Starts each piece of work in the order of the requests. */
async function done(writer: TableWriter, work: WriterWork): Promise<void> {
  if ("begin" in work) table = writer.begin(work.begin, work.texts);
  else if ("append" in work) await table?.append(work.append);
  else if (work.end === "table") await table?.end();
  else if (work.end === "all") await writer.finish();
  else await (work.end === "close" ? writer.close() : writer.abandon());
}
