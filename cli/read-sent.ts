import type { ReadOptions } from "../check/formats/export.ts";
import { readExport } from "../check/formats/read-export.ts";
import { failureReply } from "../server/checks/failure-reply.ts";
import { answer, sentFile } from "../server/checks/sent-file.ts";
import type { ReadReply } from "./read-aside.ts";

/** Reads the file that `readAside` sends to a process, and answers it. */
export async function readSent(): Promise<void> {
  const { order, file } = sentFile();
  try {
    const read = await readExport(file, order as ReadOptions);
    answer({ kind: "read", read } satisfies ReadReply);
  } catch (error) {
    answer(failureReply(error));
  }
}
