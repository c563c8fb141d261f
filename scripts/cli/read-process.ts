/** Entry point of the process that reads one file and ends: see `read-aside.ts`. */
import type { ReadOptions } from "../../check/formats/export.ts";
import { readExport } from "../../check/formats/read-export.ts";
import { failureReply } from "../../server/checks/failure-reply.ts";
import { answer, sentFile } from "../../server/checks/sent-file.ts";
import type { ReadReply } from "./read-aside.ts";

const { order, file } = sentFile();
answer(await replyTo(file, order as ReadOptions));

async function replyTo(bytes: Uint8Array, options: ReadOptions): Promise<ReadReply> {
  try {
    return { kind: "read", read: await readExport(bytes, options) };
  } catch (error) {
    return failureReply(error);
  }
}
