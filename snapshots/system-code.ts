import { constants } from "node:os";

/**
 * The C library's words for refusals of the system. DuckDB has nothing else for them, nor has `rmSync` of Node 24 and
 * newer for most: its errors have "" for a code.
 */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
  ["Device or resource busy", "EBUSY"],
  ["Stale file handle", "ESTALE"],
  ["fsync failed", "EIO"], // it does not say why
];

/** Why the system refused, by its own code. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (errno === -constants.errno.EDQUOT) return "EDQUOT"; // Node has no name for it
  if (code !== undefined && code !== "") return code;
  return REFUSALS.find(([words]) => message.includes(words))?.[1];
}
