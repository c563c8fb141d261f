import { Redis } from "ioredis";
import { WORK_CHANNEL } from "./job-lua.ts";

const RETRY_MAX_MS = 500;
const RETRY_STEP_MS = 50;

/**
 * Wakes this process when any process queues a job. What it misses while its connection is away is found by the next beat.
 */
export class WakeUpSubscription {
  readonly #client: Redis;

  constructor(address: string, wake: () => void) {
    this.#client = new Redis(address, {
      connectionName: "hindsight-wake-up",
      protocol: 2,
      disableClientInfo: true,
      enableReadyCheck: false,
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * RETRY_STEP_MS, RETRY_MAX_MS),
    });
    this.#client.on("error", () => {}); // the connections that do the work report it
    this.#client.on("message", wake);
    // Kept until there is a connection; fails when it is closed.
    this.#client.subscribe(WORK_CHANNEL).catch(() => {});
  }

  close(): void {
    this.#client.disconnect();
  }
}
