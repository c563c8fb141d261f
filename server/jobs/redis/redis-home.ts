import { randomUUID } from "node:crypto";
import type { AccountsClock } from "../../accounts/clock.ts";
import type { RedisDirectory } from "../../accounts/redis/directory.ts";
import { OPEN_STORE } from "../../accounts/redis/directory-scripts.ts";
import { RedisClock, redisTimeMs } from "../../accounts/redis/redis-clock.ts";
import type { StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { RedisConnection } from "../../redis/connection.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import type { HeldSnapshots } from "../run/held-snapshots.ts";
import { jobNotes } from "./job-notes.ts";
import { JOB_SCRIPTS } from "./job-scripts.ts";
import { RedisJobs } from "./redis-jobs.ts";
import { WorkBell } from "./work-bell.ts";

/** Time limit for what is asked on a new connection before it is used. */
const PREPARE_MS = 1_000;
/** How long the first round of looking after the store waits for the connections. */
const CONNECT_WAIT_MS = 1_000;

export interface RedisHomeOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  readonly clock: AccountsClock;
  readonly identity: StoreIdentity;
  /** Who is charged for submissions; undefined in a process that takes no jobs in. */
  readonly directory: Pick<RedisDirectory, "keyOf" | "reread"> | undefined;
  readonly warn: (message: string) => void;
  /** What this process can run; undefined in one that runs no jobs. */
  readonly snapshots?: HeldSnapshots | undefined;
  /** Folder for notes of what Redis did not answer; without one, notes die with the process. */
  readonly notes?: string | undefined;
  /** For tests; drawn at random otherwise. */
  readonly process?: string;
}

/** Opens the jobs of a Redis for this process. Redis need not be reachable yet. */
export function openRedisHome(options: RedisHomeOptions): RedisHome {
  const { address, clock, identity, warn, directory, snapshots } = options;
  const { monotonicMs } = clock;
  const redisClock = new RedisClock(monotonicMs);
  const prepare = async (link: RedisLink) => {
    await identity.open(link, PREPARE_MS);
    const askedMs = redisClock.asking();
    redisClock.note(await redisTimeMs(link, PREPARE_MS), askedMs);
  };
  const shared = { address, scripts: [OPEN_STORE, ...JOB_SCRIPTS], prepare, monotonicMs };
  const requests = new RedisConnection({
    ...shared,
    name: "hindsight-job-requests",
    warn: () => {},
  });
  const work = new RedisConnection({ ...shared, name: "hindsight-jobs", warn });
  const { process = randomUUID() } = options;
  const notes = jobNotes({ folder: options.notes, ...clock, warn });
  const own = { process, clock, redisClock, directory, snapshots, identity, notes };
  const jobs = { ...own, requests, work };
  return new RedisHome(jobs, address);
}

/** Jobs in Redis, with the connections that reach them. */
export class RedisHome extends RedisJobs {
  readonly #connections: readonly RedisConnection[];
  readonly #address: string;
  #bell: WorkBell | undefined;
  #begun: Promise<void> | undefined;

  constructor(options: ConstructorParameters<typeof RedisJobs>[0], address: string) {
    super(options);
    this.#connections = [options.requests, options.work];
    this.#address = address;
  }

  /** Waits for Redis, but no longer than this. */
  async whenReady(withinMs: number): Promise<void> {
    await Promise.all(this.#connections.map((each) => each.whenReady(withinMs)));
  }

  /** The first round runs before the connections are made, so its failure is not reported. */
  async tend(): Promise<unknown> {
    await (this.#begun ??= this.whenReady(CONNECT_WAIT_MS));
    return await this.recover();
  }

  onWork(wake: () => void): void {
    this.#bell ??= new WorkBell(this.#address, wake);
  }

  async close(): Promise<void> {
    this.#bell?.close();
    await this.depart();
    await Promise.all(this.#connections.map((each) => each.close()));
  }
}
