/** How long this machine stops a program that wants to run: no server's latency can be below that. */
import type { OpenLoopResult } from "./open-loop-run.ts";

/** If two readings of the clock are further apart than this, something came between them. */
const GAP_MIN_MS = 0.05;

export type Stalls = Pick<OpenLoopResult, "p50_ms" | "p99_ms" | "p999_ms" | "max_ms">;

/** Reads the clock for this long and does nothing else. */
export function measureStalls(forMs: number): Stalls {
  const gaps: number[] = [];
  const startedMs = performance.now();
  let beforeMs = startedMs;
  while (beforeMs - startedMs < forMs) {
    const nowMs = performance.now();
    if (nowMs - beforeMs > GAP_MIN_MS) gaps.push(nowMs - beforeMs);
    beforeMs = nowMs;
  }
  return stallsOf(gaps, beforeMs - startedMs);
}

/**
 * The latencies of requests that come at random instants and take no time themselves: one that comes in a gap
 * is answered when the gap ends. The latency exceeds x with the same probability that an instant falls into
 * the part of a gap that lies more than x before its end.
 */
export function stallsOf(gaps: readonly number[], totalMs: number): Stalls {
  const longestFirst = [...gaps].sort((a, b) => b - a);
  const exceededIn = (share: number): number => {
    const wanted = share * totalMs;
    let sum = 0;
    for (const [index, gap] of longestFirst.entries()) {
      sum += gap;
      const x = (sum - wanted) / (index + 1);
      if (x >= (longestFirst[index + 1] ?? 0)) return x;
    }
    return 0;
  };
  return {
    p50_ms: exceededIn(0.5),
    p99_ms: exceededIn(0.01),
    p999_ms: exceededIn(0.001),
    max_ms: longestFirst[0] ?? 0,
  };
}
