import { setTimeout as sleep } from "node:timers/promises";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import type { RedisChild } from "./redis-child.ts";

/** The longest time between the end of a killed process and its next start. */
const DOWN_MAX_MS = 1_500;
const STARTS_MAX = 5;

/**
 * How long a process is stopped at most. Clients of a stopped server wait, which is not what is measured here. A stop of
 * a worker may outlast its lease: another worker then runs its jobs, and its own results are refused.
 */
const STOP_MAX_MS = { server: 2_500, worker: 10_000, redis: 4_000 };
/**
 * How long a process is left in peace after a stop, or when Redis is back. Servers need it to answer those who waited,
 * and to put right what they gave up.
 */
const PEACE_MS = 2_000;

interface ClusterOptions {
  readonly redis: RedisChild;
  readonly servers: number;
  readonly workers: number;
  readonly serveArgs: readonly string[];
  readonly workArgs: readonly string[];
  readonly uniform: () => number;
}

/** A span in which a server was stopped, by `performance.now`. */
interface Stop {
  readonly origin: string;
  readonly fromMs: number;
  toMs: number;
}

/** A process that is stopped and killed. */
interface Member {
  readonly kind: keyof typeof STOP_MAX_MS;
  /** Undefined while it is down. */
  child: ChildServer | RedisChild | undefined;
  readonly start: () => Promise<ChildServer | RedisChild>;
  isFaulty: boolean;
}

/** Servers and workers on one Redis, and the faults inflicted on them. */
export class Cluster {
  readonly faultsDone = new Map<string, number>();
  /** What was done and when, by this program's clock. */
  readonly history: string[] = [];
  readonly problems: string[] = [];
  readonly #uniform: () => number;
  readonly #redis: Member;
  readonly #members: readonly Member[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #stops: Stop[] = [];

  constructor({ redis, servers, workers, serveArgs, workArgs, uniform }: ClusterOptions) {
    this.#uniform = uniform;
    const startRedis = () => redis.start().then(() => redis);
    this.#redis = { kind: "redis", child: redis, start: startRedis, isFaulty: false };
    const member = (kind: Member["kind"], args: readonly string[]): Member => {
      return { kind, child: undefined, start: () => startHindsight(args), isFaulty: false };
    };
    this.#members = [
      ...Array.from({ length: servers }, () => member("server", serveArgs)),
      ...Array.from({ length: workers }, () => member("worker", workArgs)),
      this.#redis,
    ];
  }

  async start(): Promise<void> {
    for (const member of this.#members) await started(member);
  }

  /** The addresses of servers that are not down after a kill. */
  origins(): readonly string[] {
    return this.#members
      .filter(({ kind, child }) => kind === "server" && child !== undefined)
      .map(originOf);
  }

  /** How much of a span a server was stopped by this program. */
  stoppedMs(origin: string, fromMs: number, toMs: number): number {
    return this.#stops
      .filter((stop) => stop.origin === origin)
      .reduce(
        (sum, stop) => sum + Math.max(0, Math.min(toMs, stop.toMs) - Math.max(fromMs, stop.fromMs)),
        0,
      );
  }

  /** Stops or kills a random server, worker or Redis, unless it already has a fault. Does not wait for the end. */
  trouble(): void {
    const member = this.#members[Math.floor(this.#uniform() * this.#members.length)]!; // below the length
    const done = this.#trouble(member)
      .catch((error: unknown) => {
        this.problems.push(String(error));
      })
      .finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Waits until everything that was killed or stopped is back. */
  async calm(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Ends servers and workers in order. */
  async stop(): Promise<void> {
    for (const { child } of this.#members) {
      const end = child !== undefined && "stop" in child ? await child.stop() : 0;
      if (end !== 0) this.problems.push(`ended with ${String(end)}`);
    }
  }

  /**
   * Stops or kills it. While Redis is away nothing else is killed: a server would leave a group of calls in doubt, and a
   * worker would not start.
   */
  async #trouble(member: Member): Promise<void> {
    const { kind, child } = member;
    if (member.isFaulty || child === undefined) return;
    const isStop = this.#uniform() < 0.5;
    if (!isStop && this.#redis.isFaulty) return;
    member.isFaulty = true;
    if ("exit" in child && child.exit !== undefined) this.problems.push(`${kind} ended by itself`);
    const origin = originOf(member);
    const done = `${kind} ${isStop ? "stopped" : "killed"}`;
    this.faultsDone.set(done, (this.faultsDone.get(done) ?? 0) + 1);
    this.#note(done, origin);
    if (isStop) {
      const stop = { origin, fromMs: performance.now(), toMs: Infinity };
      this.#stops.push(stop);
      child.signal("SIGSTOP");
      await sleep(this.#uniform() * STOP_MAX_MS[kind]);
      child.signal("SIGCONT");
      stop.toMs = performance.now();
    } else {
      member.child = undefined;
      await child.kill();
      await sleep(this.#uniform() * DOWN_MAX_MS);
      await started(member);
    }
    this.#note(`${kind} is back`, originOf(member));
    if (isStop || kind === "redis") await sleep(PEACE_MS);
    member.isFaulty = false;
  }

  #note(what: string, which: string): void {
    this.history.push(`${Math.round(performance.now())} ${what} ${which}`);
  }
}

/** Empty for workers and Redis. */
function originOf({ child }: Member): string {
  return child !== undefined && "origin" in child ? child.origin : "";
}

/**
 * A start fails if Redis has gone away since, if it takes too long on a busy machine, or if the port is taken for a
 * moment.
 */
async function started(member: Member): Promise<void> {
  for (let tries = 1; member.child === undefined; tries++) {
    try {
      member.child = await member.start();
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
      await sleep(DOWN_MAX_MS);
    }
  }
}
