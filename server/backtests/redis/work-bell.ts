import { Redis } from "ioredis";
import { WORK_CHANNEL } from "./job-lua.ts";

const RETRY_MAX_MS = 500;
const RETRY_STEP_MS = 50;

/**
 * Rings when any process puts a job into the queue. What is missed while the connection is away is found by the
 * next beat.
 */
export class WorkBell {
  readonly #client: Redis;

  constructor(address: string, ring: () => void) {
    this.#client = new Redis(address, {
      connectionName: "hindsight-bell",
      protocol: 2,
      disableClientInfo: true,
      enableReadyCheck: false,
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS),
    });
    this.#client.on("error", () => {}); // the connections that work is done on say so
    this.#client.on("message", ring);
    this.#client.subscribe(WORK_CHANNEL).catch(() => {}); // kept until there is a connection; fails at the close
  }

  close(): void {
    this.#client.disconnect();
  }
}
