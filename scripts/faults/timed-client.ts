import { setTimeout as sleep } from "node:timers/promises";
import { JsonClient, type Answer, type Sent } from "./json-client.ts";

/** After a 503 a client waits a moment as it is asked to, only not for so long. */
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

/** A client that notes how long it waited, with or without an answer. */
export class TimedClient extends JsonClient {
  requests = 0;
  readonly slow: SlowRequest[] = [];

  override async send(sent: Sent): Promise<Answer> {
    const fromMs = performance.now();
    this.requests++;
    let answer: Answer;
    try {
      answer = await super.send(sent);
    } finally {
      this.#note(sent, fromMs);
    }
    if (answer.status === 503) await sleep(PAUSE_AFTER_503_MS);
    return answer;
  }

  #note({ origin, path }: Sent, fromMs: number): void {
    const toMs = performance.now();
    if (toMs - fromMs < SLOW_MS || this.slow.length >= SLOW_MAX) return;
    this.slow.push({ origin, path, fromMs, toMs });
  }
}
