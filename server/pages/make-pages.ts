import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";

/** What a thread says of a page: its path, and its text compressed, or why there is none. */
export type MadePage = readonly [path: string, made: Uint8Array | Error];

/** Behind whatever answers requests. */
const QUIET_PRIORITY = 10;

/**
 * In a thread of its own: makes the pages at these paths, in this order, but for those that are asked for by a message,
 * which come next. The thread ends when all are made.
 */
export function makePages(paths: readonly string[], textOf: (path: string) => string): void {
  // On Linux each thread has a priority of its own; elsewhere this would change the whole process's.
  if (process.platform === "linux") setPriority(QUIET_PRIORITY);
  const port = parentPort!; // only the entry points of threads call this
  const left = new Set(paths);
  const make = (path: string) => {
    left.delete(path);
    port.postMessage([path, pageOf(path, textOf)] satisfies MadePage);
  };
  const makeNext = () => {
    const [path] = left;
    if (path === undefined) {
      port.close();
      return;
    }
    make(path);
    setImmediate(makeNext);
  };
  port.on("message", make);
  makeNext();
}

function pageOf(path: string, textOf: (path: string) => string): Uint8Array | Error {
  try {
    return gzipSync(textOf(path));
  } catch (error) {
    return error as Error;
  }
}
