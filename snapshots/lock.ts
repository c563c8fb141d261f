import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { UNFINISHED_PREFIX } from "./folder.ts";
import { SnapshotError } from "./snapshot-error.ts";

export const LOCK_FILE = ".lock";
/** Another run may take over a stale lock first; more often than this, something is wrong. */
const ATTEMPTS_MAX = 5;
/** Interval at which the holder touches its lock. */
const HEARTBEAT_MS = 15_000;
/**
 * A lock of another machine is stale when untouched for this long: many heartbeats, and longer than any
 * pause. It is stale too when touched this long ahead of now: the file system's clock was set back, and it has
 * not been touched since.
 */
const FOREIGN_SILENCE_MAX_MS = 10 * 60_000;

/** The right to write to a folder of snapshots. */
export interface SnapshotLock {
  /** Throws SnapshotError when the lock was removed or taken over by another process. */
  check(): void;
  /**
   * Never throws: a lock that cannot be removed names a process that ends, and is taken over. Harmless when
   * called twice.
   */
  release(): void;
}

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /**
   * Start of the process in clock ticks since boot, where the system tells. Process ids are reused; this
   * tells them apart.
   */
  readonly started: string | null;
  /** Distinguishes this holder from any other, including one in the same process. */
  readonly token: string;
}

/** A lock as found: its text, and how long ago it was touched. */
interface FoundLock {
  readonly text: string;
  readonly silenceMs: number;
}

/**
 * Takes the lock of a folder, so that only one run at a time writes to it. The lock is a file that names
 * its process and is touched while that process lives. If the process is gone, it was killed, and the lock
 * is taken over at once. Whether a process on another machine lives cannot be seen from here, so such a
 * lock is taken over only when it has not been touched for a while.
 */
export function takeLock(root: string): SnapshotLock {
  const path = join(root, LOCK_FILE);
  const holder: Holder = {
    pid: process.pid,
    host: hostname(),
    started: startOf(process.pid),
    token: randomUUID(),
  };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const attempted = createLock(root, holder);
    if (attempted.handle !== undefined) return lockOf(path, holder.token, attempted.handle);
    const found = findLock(path, attempted.nowMs);
    if (found === undefined) continue; // released in the meantime
    const other = parseHolder(found.text);
    if (other !== undefined && isAlive(other, found.silenceMs)) throw heldError(path, other);
    removeStale(root, found.text);
  }
  throw new SnapshotError(`the lock "${path}" keeps being taken by other runs`);
}

/**
 * Creates the lock file with its content or not at all, so a kill leaves no empty lock. Returns the open
 * file if the lock is ours, and the time by the file system's clock, on which all machines that share it
 * agree.
 */
function createLock(root: string, holder: Holder): { handle?: number; nowMs: number } {
  const aside = join(root, `${UNFINISHED_PREFIX}lock-${holder.token}`);
  const handle = openIn(root, aside);
  let nowMs: number | undefined;
  try {
    writeSync(handle, JSON.stringify(holder), 0);
    nowMs = fstatSync(handle).mtimeMs;
    linkSync(aside, join(root, LOCK_FILE));
    return { handle, nowMs };
  } catch (error) {
    closeSync(handle);
    // ENOENT: the holder was cleaning up and took our file for a leftover.
    const { code } = error as NodeJS.ErrnoException;
    if (nowMs !== undefined && (code === "EEXIST" || code === "ENOENT")) return { nowMs };
    if (nowMs !== undefined && NO_LINKS.includes(code ?? "")) throw noLinksError(root, error);
    throw error;
  } finally {
    unlessRefused(() => rmSync(aside, { force: true }));
  }
}

/** What a file system without hard links answers. */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

function noLinksError(root: string, error: unknown): SnapshotError {
  return new SnapshotError(
    `the file system of "${root}" has no hard links, which the lock of snapshots needs ` +
      `(${(error as NodeJS.ErrnoException).code}): exFAT and FAT have none; use another disk`,
    { cause: error },
  );
}

/** For what may fail: what stays behind is a leftover, or a lock of a process that ends, and the next run removes either. */
function unlessRefused(work: () => unknown): void {
  try {
    work();
  } catch {
    // the next write to the folder reports the error
  }
}

function openIn(root: string, path: string): number {
  try {
    return openSync(path, "w");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EROFS") throw error;
    const message = `this user cannot write to the folder "${root}" (${code})`;
    throw new SnapshotError(message, { cause: error });
  }
}

/**
 * Removes the stale lock that was read, and no other. Two runs may find it at once, and the later one must
 * not remove the lock that the earlier one has made since. In the one instant that remains, the holder
 * notices through `check`.
 */
function removeStale(root: string, text: string): void {
  const path = join(root, LOCK_FILE);
  const aside = join(root, `${UNFINISHED_PREFIX}stale-lock-${process.pid}`);
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readLock(aside) !== text) {
    try {
      linkSync(aside, path); // it was another lock, a live one: put it back
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  rmSync(aside, { force: true });
}

function lockOf(path: string, token: string, handle: number): SnapshotLock {
  const isOurs = () => parseHolder(readLock(path) ?? "")?.token === token;
  // Written through the open file, so that it never touches a lock that another run took over.
  const text = readLock(path) ?? "";
  const heartbeat = setInterval(() => touch(handle, text), HEARTBEAT_MS);
  heartbeat.unref();
  let released = false;
  return {
    check() {
      if (!isOurs()) throw new SnapshotError(`the lock "${path}" was taken away during the run`);
    },
    release() {
      if (released) return;
      released = true;
      clearInterval(heartbeat);
      // A network file system may report a failed heartbeat only when the file is closed.
      unlessRefused(() => closeSync(handle));
      unlessRefused(() => {
        if (isOurs()) rmSync(path, { force: true });
      });
    },
  };
}

/**
 * A failed heartbeat is skipped: the next may succeed, and `check` notices a lock that another machine took over,
 * before anything is published.
 */
function touch(handle: number, text: string): void {
  unlessRefused(() => writeSync(handle, text, 0));
}

function findLock(path: string, nowMs: number): FoundLock | undefined {
  const text = readLock(path);
  const facts = statSync(path, { throwIfNoEntry: false });
  return text === undefined || facts === undefined
    ? undefined
    : { text, silenceMs: nowMs - facts.mtimeMs };
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.host === "string" ? holder : undefined;
  } catch {
    return undefined; // not a lock of ours
  }
}

function isAlive({ pid, host, started }: Holder, silenceMs: number): boolean {
  if (host !== hostname()) return Math.abs(silenceMs) < FOREIGN_SILENCE_MAX_MS;
  try {
    process.kill(pid, 0); // signal 0 only tests whether the process exists
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // EPERM: it exists
  }
  return started === null || started === startOf(pid);
}

/**
 * Field 22 of /proc/PID/stat. It is counted from after the command's name, which may contain spaces and
 * brackets. Null off Linux.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function heldError(path: string, { pid, host }: Holder): SnapshotError {
  return new SnapshotError(
    host === hostname()
      ? `another run is writing snapshots here: process ${pid} holds "${path}"`
      : `a run on "${host}" (process ${pid}) holds "${path}"; remove that file if the run is gone`,
  );
}
