/** Entry point of the thread of `table-writer-thread.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { Channel, type ChannelMessage } from "../aside/channel.ts";
import { openTableWriter } from "./table-writer.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point
const opened = openTableWriter((workerData as { folder: string }).folder);
opened.catch(() => {}); // each call fails with it

const channel = new Channel((message) => port.postMessage(message), opened);
port.on("message", (message: ChannelMessage) => channel.received(message));
