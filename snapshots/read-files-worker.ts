/** Entry point of the thread of `read-files-thread.ts`: reads what it is given, answers, ends. */
import { parentPort, workerData } from "node:worker_threads";
import type { FilesReply } from "./read-files-thread.ts";
import { readFiles, type WantedFile } from "./read-files.ts";

const port = parentPort!; // this file only ever runs as a worker's entry point

port.postMessage(await answer(workerData as readonly WantedFile[]));

async function answer(files: readonly WantedFile[]): Promise<FilesReply> {
  try {
    return { files: await readFiles(files) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { failure: { message, code } };
  }
}
