import { performance } from "node:perf_hooks";

/**
 * Milliseconds of the machine's monotonic clock. It is never set, and it is the same in all processes,
 * whereas `performance.now` starts anew in each.
 */
export function steadyClock(): () => number {
  const offset = offsetMs();
  return () => performance.now() + offset;
}

/** The offset between the two clocks, from the attempt whose readings lay closest together. */
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
