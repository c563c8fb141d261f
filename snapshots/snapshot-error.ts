/** `gone`: it has no folder. `unreadable`: the system refuses to read it. `damaged`: anything else. */
export type SnapshotFault = "gone" | "unreadable" | "damaged";

/**
 * A snapshot or a folder of snapshots that cannot be used: missing, damaged, of another format, or locked by another
 * run. The message names the file and is shown to people, without a stack.
 */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly fault: SnapshotFault;

  constructor(message: string, options: ErrorOptions & { readonly fault?: SnapshotFault } = {}) {
    super(message, options);
    this.fault = options.fault ?? "damaged";
  }
}

/** The result, or undefined for a snapshot that cannot be used; `onDamaged` receives the reason. */
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
