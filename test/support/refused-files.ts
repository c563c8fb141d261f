import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";

/**
 * Makes the system refuse every read of a file that this process has open, as a disk with a bad block does. Writes go
 * through. Returns what ends it. Linux only; other than to the write-ahead log, it loses the file's locks.
 */
export function refuseReads(file: string): () => void {
  return standIn(file, file, "a"); // not opened for reading
}

/** The same for writes, as a full disk refuses them. */
export function refuseWrites(file: string): () => void {
  return standIn(file, "/dev/full", "r+");
}

/** Puts another open file into the place of one. */
function standIn(file: string, other: string, flags: string): () => void {
  const opened = openedAs(file);
  for (const fd of opened) reopen(fd, other, flags);
  return () => {
    for (const fd of opened) reopen(fd, file, "r+");
  };
}

/** Closes a descriptor and opens a file under its number. */
function reopen(fd: number, file: string, flags: string): void {
  closeSync(fd);
  const others: number[] = [];
  for (let got = openSync(file, flags); got !== fd; got = openSync(file, flags)) others.push(got);
  for (const each of others) closeSync(each);
}

/** This process's descriptors of a file. */
function openedAs(file: string): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file;
      } catch {
        return false; // the list's own, closed by now
      }
    });
}
