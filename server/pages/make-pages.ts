import { parentPort } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { fileOf } from "./png.ts";
import { lowerPriority } from "../../aside/lower-priority.ts";

/** A page that a thread has made: its path, and its compressed text or why there is none. */
export type MadePage = readonly [path: string, made: Uint8Array | Error];

/** Below the threads that answer requests. */
const QUIET_PRIORITY = 10;

/**
 * Makes the pages at these paths, in this order, in a thread of its own. A page whose path arrives in a message is made
 * next. The thread ends when all are made.
 */
export function makePages(paths: readonly string[], textOf: (path: string) => string): void {
  lowerPriority(QUIET_PRIORITY);
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
    return gzipSync(fileOf(path, textOf));
  } catch (error) {
    return error as Error;
  }
}
