import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { ReadFile, WantedFile } from "./read-files.ts";
import { readFiles } from "./read-files.ts";

/** Failures cross threads as data. */
export type FilesReply =
  | { readonly files: readonly (ReadFile | undefined)[] }
  | { readonly failure: { readonly message: string; readonly code: string | undefined } };

/**
 * `readFiles` on a thread of its own, which ends with it: a checksum of hundreds of megabytes takes a good part of a
 * second of a core, in which a server that opens the next snapshot answers, and one that starts loads its code. The
 * thread runs the built `read-files-worker.js`; from sources (tests) the calling thread reads.
 */
export async function readFilesAside(
  files: readonly WantedFile[],
): Promise<readonly (ReadFile | undefined)[]> {
  if (!import.meta.url.endsWith(".js")) return await readFiles(files);
  const worker = new Worker(fileURLToPath(new URL("./read-files-worker.js", import.meta.url)), {
    workerData: files,
  });
  const reply = await new Promise<FilesReply>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread that reads the snapshot is gone")));
  });
  if ("files" in reply) return reply.files;
  throw Object.assign(new Error(reply.failure.message), { code: reply.failure.code });
}
