import { getPriority, setPriority } from "node:os";

/**
 * Lets others have the processor before this thread, or before the process `pid`. It never raises a priority, which takes
 * a privilege, and nothing depends on it: a system may refuse it.
 */
export function lowerPriority(nice: number, pid?: number): void {
  // On Linux each thread has a priority of its own; elsewhere this would change the whole process.
  if (pid === undefined && process.platform !== "linux") return;
  try {
    if (getPriority(pid) < nice) setPriority(pid ?? 0, nice);
  } catch {
    // The process is gone, or `priorityRefusal` says why.
  }
}

/** Why the system lets this program set no priority, as the filter of a container may not; for one line in its log. */
export function priorityRefusal(): string | undefined {
  try {
    setPriority(getPriority());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
