/** How long a thread works between two pauses, and how long a pause lasts at least. */
const WORK_MS = 0.2;
const BREATH_MS = 0.05;

/**
 * Lets other threads have the processor. If two threads want one, Linux lets the running thread go on until
 * the next tick, up to 4 ms, even if the other has priority. If a thread pauses several times a millisecond,
 * nobody waits longer than it works between two pauses.
 */
export function createBreather(monotonicMs: () => number): () => void {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let sinceMs = monotonicMs();
  return () => {
    if (monotonicMs() - sinceMs < WORK_MS) return;
    Atomics.wait(never, 0, 0, BREATH_MS);
    sinceMs = monotonicMs();
  };
}
