import { performance } from "node:perf_hooks";

/**
 * Milliseconds of the machine's monotonic clock: never set, and the same for all its processes, where
 * `performance.now` begins anew with each. Reads cost what `performance.now` costs.
 */
export function steadyClock(): () => number {
  const offset = offsetMs();
  return () => performance.now() + offset;
}

/** The reading of several in which the least time passed between the two clocks' own. */
function offsetMs(): number {
  let best = { offset: 0, spread: Number.POSITIVE_INFINITY };
  for (let attempt = 0; attempt < 16; attempt++) {
    const before = performance.now();
    const machineMs = Number(process.hrtime.bigint()) / 1e6;
    const spread = performance.now() - before;
    if (spread < best.spread) best = { offset: machineMs - before - spread / 2, spread };
  }
  return best.offset;
}
