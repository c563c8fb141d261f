import { cpus } from "node:os";

/**
 * Time between two looks. In less time there is little to see, because a system counts in hundredths of a
 * second.
 */
const LOOK_MS = 250;
/** In processors. If the others leave less than this, they want all of them. */
const ROOM_MIN = 0.5;
/** The rest between two jobs in that case. */
const REST_MS = 20;

/** Times of all processors together since the system started, and of this process since it started. */
export interface ProcessorTimes {
  readonly processors: number;
  readonly busyMs: number;
  readonly ownMs: number;
}

/**
 * Says how long to rest before the next job. There is no rest unless others, above all servers, keep nearly
 * all processors busy: each job then takes 3 ms that requests have to wait.
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
    restMs = room < ROOM_MIN && now.processors > 0 ? REST_MS : 0; // 0: the system does not tell
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
