/** Work between two breaths, and how long one takes at least. */
const WORK_MS = 0.2;
const BREATH_MS = 0.05;

/**
 * Lets others have the processor. Where two threads want one, Linux lets the one that has it go on to the next tick, up to
 * 4 ms, also where the other comes first; of a thread that pauses several times a millisecond nobody waits longer
 * than it works in between.
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
