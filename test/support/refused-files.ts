import { openSync, closeSync, readdirSync, readlinkSync } from "node:fs";
import koffi from "koffi";

/**
 * Makes the system refuse every read of a file that this process has open, as a disk with a bad block does. Writes go
 * through. Returns what ends it. Linux only.
 */
export function refuseReads(file: string): () => void {
  return standIn(file, openSync(file, "a")); // not opened for reading
}

/** The same for forcing the file to the disk: writes are lost, but succeed. */
export function refuseForces(file: string): () => void {
  return standIn(file, openSync("/dev/null", "r+"));
}

/** The same for writes, as a full disk refuses them. */
export function refuseWrites(file: string): () => void {
  return standIn(file, openSync("/dev/full", "r+"));
}

/** Puts another open file into the place of one. */
function standIn(file: string, other: number): () => void {
  const symbols = koffi.load(null);
  const dup = symbols.func("int dup(int)") as (fd: number) => number;
  const close = symbols.func("int close(int)") as (fd: number) => number; // of descriptors that Node did not open
  const dup2 = symbols.func("int dup2(int, int)") as (from: number, to: number) => number;
  const kept = openedAs(file)
    .filter((fd) => fd !== other)
    .map((fd) => ({ fd, real: dup(fd) }));
  for (const { fd } of kept) dup2(other, fd);
  closeSync(other);
  return () => {
    for (const { fd, real } of kept) {
      dup2(real, fd);
      close(real);
    }
  };
}

/** This process's descriptors of a file. */
export function openedAs(file: string): number[] {
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
