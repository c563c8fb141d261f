import { setTimeout as sleep } from "node:timers/promises";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import type { RedisChild } from "./redis-child.ts";

/** The longest time between the end of a killed process and its next start. */
const DOWN_MAX_MS = 1_500;
/** Limited because a stopped server keeps its clients waiting, which is not what is measured here. */
const SERVER_STOP_MAX_MS = 2_500;
/** Gives a server time to answer those it kept waiting; otherwise their waits would add up. */
const BETWEEN_STOPS_MS = 2_000;
/** Longer than a lease, so that another worker runs its jobs and its own results are refused afterwards. */
const WORKER_STOP_MAX_MS = 10_000;
const REDIS_STOP_MAX_MS = 4_000;
const STARTS_MAX = 5;
/** Servers have put right within this what they gave up when Redis failed. Until then none is killed. */
const RECOVERY_MS = 2_000;

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

interface Member {
  readonly kind: "server" | "worker";
  readonly args: readonly string[];
  child: ChildServer | undefined;
  faulty: boolean;
}

/** Servers and workers on one Redis, and the faults inflicted on them. */
export class Cluster {
  readonly faultsDone = new Map<string, number>();
  /** What was done and when, by this program's clock. */
  readonly history: string[] = [];
  readonly problems: string[] = [];
  readonly #options: ClusterOptions;
  readonly #members: readonly Member[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #stops: Stop[] = [];
  #redisFaulty = false;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { servers, workers, serveArgs, workArgs } = options;
    this.#members = [
      ...Array.from({ length: servers }, () => memberOf("server", serveArgs)),
      ...Array.from({ length: workers }, () => memberOf("worker", workArgs)),
    ];
  }

  async start(): Promise<void> {
    for (const member of this.#members) await startMember(member);
  }

  /** Servers that are not down after a kill. */
  origins(): readonly string[] {
    return [...this.servers()].map(([origin]) => origin);
  }

  /** Servers by their origins, with the ids of their processes. */
  servers(): Iterable<readonly [origin: string, pid: number]> {
    return this.#members.flatMap(({ child }) =>
      child === undefined || child.origin === "" ? [] : [[child.origin, child.pid] as const],
    );
  }

  /** For how much of a span this program had stopped a server. */
  stoppedMs(origin: string, fromMs: number, toMs: number): number {
    return this.#stops
      .filter((stop) => stop.origin === origin)
      .reduce(
        (sum, stop) => sum + Math.max(0, Math.min(toMs, stop.toMs) - Math.max(fromMs, stop.fromMs)),
        0,
      );
  }

  /**
   * Inflicts a fault on a server, a worker or Redis, unless it already has one. Does not wait for the end. While Redis
   * is away none is killed: a server would leave a group of calls in doubt, and a worker would not start.
   */
  trouble(): void {
    const { uniform } = this.#options;
    const member = this.#members[Math.floor(uniform() * (this.#members.length + 1))];
    const work = member === undefined ? this.#troubleRedis() : this.#troubleMember(member);
    const done = work
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

  async stop(): Promise<void> {
    for (const { child } of this.#members) {
      const end = await child?.stop();
      if (end !== 0) this.problems.push(`ended with ${String(end)}`);
    }
  }

  async kill(): Promise<void> {
    for (const { child } of this.#members) await child?.kill();
  }

  /** Stops or kills it. */
  async #troubleMember(member: Member): Promise<void> {
    const { child } = member;
    if (member.faulty || child === undefined) return;
    const isStop = this.#options.uniform() < 0.5;
    if (!isStop && this.#redisFaulty) return;
    member.faulty = true;
    if (child.exit !== undefined) this.problems.push(`${member.kind} ended by itself`);
    if (isStop) {
      this.#note(`${member.kind} stopped`, child.origin);
      const stop = { origin: child.origin, fromMs: performance.now(), toMs: Infinity };
      this.#stops.push(stop);
      child.signal("SIGSTOP");
      const most = member.kind === "server" ? SERVER_STOP_MAX_MS : WORKER_STOP_MAX_MS;
      await sleep(this.#options.uniform() * most);
      child.signal("SIGCONT");
      stop.toMs = performance.now();
      this.#tell(`${member.kind} goes on`, child.origin);
      await sleep(BETWEEN_STOPS_MS);
    } else {
      this.#note(`${member.kind} killed`, child.origin);
      member.child = undefined;
      await child.kill();
      await sleep(this.#options.uniform() * DOWN_MAX_MS);
      await startMember(member);
    }
    member.faulty = false;
  }

  async #troubleRedis(): Promise<void> {
    const { redis, uniform } = this.#options;
    if (this.#redisFaulty) return;
    this.#redisFaulty = true;
    if (uniform() < 0.5) {
      this.#note("redis stopped");
      redis.signal("SIGSTOP");
      await sleep(uniform() * REDIS_STOP_MAX_MS);
      redis.signal("SIGCONT");
      this.#tell("redis goes on");
    } else {
      this.#note("redis killed");
      await redis.kill();
      await sleep(uniform() * DOWN_MAX_MS);
      await this.#startRedis();
      this.#tell("redis is back");
    }
    await sleep(RECOVERY_MS);
    this.#redisFaulty = false;
  }

  /**
   * On a busy machine the start may take too long, or the port may be taken for a moment. Without Redis there
   * is nothing to test.
   */
  async #startRedis(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#options.redis.start();
      } catch (error) {
        if (tries === STARTS_MAX) throw error;
        await sleep(DOWN_MAX_MS);
      }
    }
  }

  #note(what: string, which = ""): void {
    this.faultsDone.set(what, (this.faultsDone.get(what) ?? 0) + 1);
    this.#tell(what, which);
  }

  #tell(what: string, which = ""): void {
    this.history.push(`${Math.round(performance.now())} ${what} ${which}`);
  }
}

function memberOf(kind: Member["kind"], args: readonly string[]): Member {
  return { kind, args, child: undefined, faulty: false };
}

/** Redis may have gone away since the kill: then a start fails. */
async function startMember(member: Member): Promise<void> {
  for (let tries = 1; member.child === undefined; tries++) {
    try {
      member.child = await startHindsight(member.args);
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
    }
  }
}
