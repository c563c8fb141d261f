import { setTimeout as sleep } from "node:timers/promises";
import { ask, type Answer, type Sent } from "../support/ask.ts";

const TIMEOUT_MS = 20_000;
/** A client waits after a 503, but not for as long as the answer says. */
const PAUSE_AFTER_503_MS = 10;
/** Requests that took longer than this are remembered one by one, up to a limit. */
const SLOW_MS = 1_000;
const SLOW_MAX = 10_000;

/** A request that took long, answered or not. Instants are those of `performance.now`. */
export interface SlowRequest {
  readonly origin: string;
  readonly path: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A client that notes which requests took long. */
export class JsonClient {
  requests = 0;
  readonly slow: SlowRequest[] = [];

  /** Rejects if no complete answer came. */
  async send(origin: string, path: string, sent: Sent): Promise<Answer> {
    this.requests++;
    const fromMs = performance.now();
    const answer = await ask(origin + path, { timeoutMs: TIMEOUT_MS, ...sent }).finally(() => {
      const toMs = performance.now();
      if (toMs - fromMs > SLOW_MS && this.slow.length < SLOW_MAX) {
        this.slow.push({ origin, path, fromMs, toMs });
      }
    });
    if (answer.status === 503) await sleep(PAUSE_AFTER_503_MS);
    return answer;
  }
}
