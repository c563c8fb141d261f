/**
 * A snapshot or a folder of snapshots that cannot be used: missing, damaged, of another format, or locked by another
 * run. The message is for a person and names the file; it never needs a stack to be understood.
 */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}
