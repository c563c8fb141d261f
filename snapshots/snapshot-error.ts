/**
 * A snapshot or a folder of snapshots that cannot be used: missing, damaged, of another format, or locked by another
 * run. The message is for a person and names the file; it never needs a stack to be understood.
 */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** The result, or undefined for a snapshot of no use, of which `onDamaged` is told. */
export async function unlessDamaged<T>(
  result: Promise<T>,
  onDamaged: (message: string) => void,
): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    onDamaged(error.message);
    return undefined;
  }
}
