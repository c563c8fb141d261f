/**
 * A snapshot or a folder of snapshots that cannot be used: missing, damaged, of another format, or locked
 * by another run. The message is for a person and names the file; nobody needs the stack to understand it.
 */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** The result, or undefined for a snapshot that cannot be used; `onDamaged` is told why. */
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
