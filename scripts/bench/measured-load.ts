import type { ChildServer } from "./child-server.ts";
import { runLoad, type Generator } from "./load.ts";
import { writeRequests, type LoadRequest } from "./raw-request.ts";

export interface MeasuredLoad {
  readonly perSecond: number;
  /** CPU time of the server a request, microseconds; NaN where the system does not say. */
  readonly cpuMicros: number;
  /** Share of one core that the server used: well below 1, it waited for the generator. */
  readonly cpuShare: number;
  readonly requests: number;
  readonly broken: number;
  readonly status400: number;
}

export interface LoadPlan {
  readonly generator: Generator;
  readonly requestsFile: string;
  readonly seconds: number;
  readonly connections: number;
}

/** Loads a server and reads off what it cost. */
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

/** Writes requests and gives the file's name back. */
export function requestsFile(file: string, requests: readonly LoadRequest[]): string {
  writeRequests(file, requests);
  return file;
}
