import { constants } from "node:os";

/** What DuckDB says of a refusal of the system: it has only the C library's words for it. */
const REFUSALS: readonly (readonly [words: string, code: string])[] = [
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
  ["fsync failed", "EIO"], // it does not say why
];

/** Why the system refused, by its own code. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (errno === -constants.errno.EDQUOT) return "EDQUOT"; // Node has no name for it
  return code ?? REFUSALS.find(([words]) => message.includes(words))?.[1];
}
