import { cpus } from "node:os";

/** Between two looks; in less time there would be little to see, since a system counts in hundredths of a second. */
const LOOK_MS = 250;
/** Others that leave less than this of all processors together want them all. */
const ROOM_MIN = 0.5;
/** Between two jobs then. */
const REST_MS = 20;

/** Of all processors together, since the system started, and of this process, since it did. */
export interface ProcessorTimes {
  readonly processors: number;
  readonly busyMs: number;
  readonly ownMs: number;
}

/**
 * Says how long to rest before the next job: not at all, unless others, which are servers above all, keep nearly all processors
 * busy. Of what a job takes from them, 3 ms, requests are what is held up.
 */
export function createPace(
  monotonicMs: () => number,
  times: () => ProcessorTimes = processorTimes,
): () => number {
  let sinceMs = monotonicMs();
  let before = times();
  let restMs = 0;
  return () => {
    const elapsedMs = monotonicMs() - sinceMs;
    if (elapsedMs < LOOK_MS) return restMs;
    const now = times();
    const othersMs = now.busyMs - before.busyMs - (now.ownMs - before.ownMs);
    const room = now.processors - othersMs / elapsedMs;
    restMs = room < ROOM_MIN && now.processors > 0 ? REST_MS : 0; // 0: the system does not say
    sinceMs += elapsedMs;
    before = now;
    return restMs;
  };
}

export function processorTimes(): ProcessorTimes {
  const all = cpus();
  let busyMs = 0;
  for (const { times } of all) busyMs += times.user + times.nice + times.sys + times.irq;
  const own = process.cpuUsage();
  return { processors: all.length, busyMs, ownMs: (own.user + own.system) / 1000 };
}
