import { fork, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sum } from "simple-statistics";
import { quantile } from "../../quant/sample-statistics.ts";
import { childChannel, type Channel } from "../../aside/channel.ts";
import { watched } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";
import { rawRequest, type LoadRequest } from "./raw-request.ts";

/** Writes requests to a file for the load generator and returns its path. */
export function writeRequests(
  folder: string,
  name: string,
  requests: readonly LoadRequest[],
): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(requests.map(rawRequest)));
  return file;
}

export interface LoadOptions {
  readonly port: number;
  /** From `writeRequests`. They are sent in turn. */
  readonly requestsFile: string;
  readonly connections: number;
  /** Null sends as many as are answered. */
  readonly perSecond: number | null;
  /** Whether it sleeps between requests, which leaves the core to others. */
  readonly sleeps?: boolean;
  /** Whether a connection that the server closed is opened again. */
  readonly reconnects?: boolean;
}

/** What was answered since the previous window. */
export interface LoadWindow {
  /** Empty without a rate. */
  readonly latenciesMs: readonly number[];
  /** Answers by status. Status 0 counts connections that the server closed instead of answering. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly tookMs: number;
  /** Requests that still wait for an answer, and how long the oldest has waited. */
  readonly unanswered: number;
  readonly unansweredMs: number;
}

const SCRIPT = fileURLToPath(new URL("./load-generator.js", import.meta.url));

/** Without it, helper threads of V8 would take time from the server's core. */
const NO_HELPERS = "--single-threaded";

/** Runs `load-generator.ts` in a process of its own, until it is stopped. */
export class Load {
  readonly #child: ChildProcess;
  readonly #channel: Channel;

  constructor(options: LoadOptions) {
    this.#child = watched(fork(SCRIPT, [JSON.stringify(options)], { execArgv: [NO_HELPERS] }));
    this.#channel = childChannel(this.#child);
  }

  /** Ends a window and begins the next one. The first call begins the load. */
  async window(): Promise<LoadWindow> {
    return (await this.#channel.call("window")) as LoadWindow;
  }

  /** Stops sending and ends the last window once everything is answered, or after ten seconds. */
  async finish(): Promise<LoadWindow> {
    return (await this.#channel.call("finish")) as LoadWindow;
  }

  stop(): void {
    this.#child.kill();
  }
}

interface ClosedLoop extends Pick<LoadOptions, "requestsFile" | "connections"> {
  readonly seconds: number;
  /** The status that answers should have: 200 by default. */
  readonly status?: number;
}

export interface MeasuredLoad {
  readonly perSecond: number;
  /** The server's CPU time per request in microseconds; NaN where the system does not report it. */
  readonly cpuMicros: number;
  /** The share of one core that the server used. Well below 1, it was waiting for the generator. */
  readonly cpuShare: number;
  readonly requests: number;
  /** Answers with another status, broken connections, and requests without an answer. */
  readonly failed: number;
}

/** Loads a server as fast as it answers, and measures what that cost it. */
export async function measureLoad(server: ChildServer, loop: ClosedLoop): Promise<MeasuredLoad> {
  const { requestsFile, seconds, connections, status = 200 } = loop;
  const load = new Load({ port: server.port, requestsFile, connections, perSecond: null });
  await load.window();
  const before = server.cpuMs();
  await sleep(1000 * seconds);
  const last = await load.finish();
  const cpuMs = server.cpuMs() - before;
  load.stop();
  const requests = sum(Object.values(last.statuses));
  return {
    perSecond: requests / (last.tookMs / 1000),
    cpuMicros: (cpuMs * 1000) / requests,
    cpuShare: cpuMs / last.tookMs,
    requests,
    failed: failedIn(last, status),
  };
}

interface OpenLoop extends LoadOptions {
  readonly perSecond: number;
  /** How long to load at the same rate before measuring. */
  readonly warmSeconds: number;
  /** The measurement ends when this does. */
  during(): Promise<unknown>;
}

export interface OpenLoopResult {
  readonly requests: number;
  /** Answers other than 200, broken connections, and requests without an answer. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
}

/** One measurement at a steady rate. */
export async function runOpenLoop(loop: OpenLoop): Promise<OpenLoopResult> {
  const load = new Load(loop);
  await load.window();
  await sleep(loop.warmSeconds * 1000);
  const warm = await load.window();
  await loop.during();
  const last = await load.finish();
  load.stop();
  const { latenciesMs, statuses, unanswered } = last;
  if (latenciesMs.length === 0) throw new Error("no request of the open loop was answered");
  return {
    requests: sum(Object.values(statuses)) + unanswered,
    failed: failedIn({ ...warm, unanswered: 0 }, 200) + failedIn(last, 200),
    p50_ms: quantile(latenciesMs, 0.5),
    p99_ms: quantile(latenciesMs, 0.99),
    p999_ms: quantile(latenciesMs, 0.999),
    max_ms: quantile(latenciesMs, 1),
  };
}

function failedIn({ statuses, unanswered }: LoadWindow, status: number): number {
  return sum(Object.values(statuses)) - (statuses[status] ?? 0) + unanswered;
}
