/** Work between two breaths, and how long one takes at least. */
const WORK_MS = 0.2;
const BREATH_MS = 0.05;

/**
 * Lets others have the processor: where two threads want one, the system lets the one that has it finish its slice, 3 or 4 ms on
 * Linux, also where the other comes first. A thread that rests a moment several times a millisecond holds nobody up for longer than it works
 * in between.
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
