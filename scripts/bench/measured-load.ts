import type { ChildServer } from "../support/child-server.ts";
import { runLoad, type Generator, type LoadOptions } from "./load.ts";

export interface MeasuredLoad {
  readonly perSecond: number;
  /** The server's CPU time per request in microseconds; NaN if the system does not tell. */
  readonly cpuMicros: number;
  /** The share of one core that the server used. Well below 1, it was waiting for the generator. */
  readonly cpuShare: number;
  readonly requests: number;
  readonly broken: number;
  readonly status400: number;
}

interface LoadPlan extends Omit<LoadOptions, "origin"> {
  readonly generator: Generator;
}

/** Loads a server and measures what that cost it. */
export async function measureLoad(server: ChildServer, plan: LoadPlan): Promise<MeasuredLoad> {
  const before = server.cpuMs();
  const startedMs = performance.now();
  const result = await runLoad(plan.generator, { ...plan, origin: server.origin });
  const tookMs = performance.now() - startedMs;
  const after = server.cpuMs();
  const cpuMs = before === undefined || after === undefined ? NaN : after - before;
  return {
    perSecond: result.perSecond,
    cpuMicros: (cpuMs * 1000) / result.requests,
    cpuShare: Math.min(1, cpuMs / Math.min(tookMs, plan.seconds * 1000)),
    requests: result.requests,
    broken: result.broken,
    status400: result.status400,
  };
}
