import { constants } from "node:os";

/**
 * The C library's words for refusals of the system. DuckDB's errors have no code, and most of `rmSync` have an empty
 * one since Node 24.
 */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
  ["Device or resource busy", "EBUSY"],
  ["Stale file handle", "ESTALE"],
  ["fsync failed", "EIO"], // without a reason
];

/** The system's code of an error, such as `ENOSPC`, also where the error has only its words. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (errno === -constants.errno.EDQUOT) return "EDQUOT"; // Node has no name for it
  if (code !== undefined && code !== "") return code;
  return REFUSALS.find(([words]) => message.includes(words))?.[1];
}
