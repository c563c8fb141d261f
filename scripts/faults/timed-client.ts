import { setTimeout as sleep } from "node:timers/promises";
import { JsonClient, type Answer, type Sent } from "./json-client.ts";

/** A client that was told 503 waits a moment, as it is asked to, if not for so long. */
const PAUSE_AFTER_503_MS = 10;

/** A client that notes how long it waited for anything, answer or not. */
export class TimedClient extends JsonClient {
  requests = 0;
  slowestMs = 0;
  /** Requests that took longer than `hungMs`. */
  readonly hung: string[] = [];
  readonly #hungMs: number;

  constructor(connections: number, hungMs: number) {
    super(connections);
    this.#hungMs = hungMs;
  }

  override async send(sent: Sent): Promise<Answer> {
    const startedMs = performance.now();
    this.requests++;
    try {
      const answer = await super.send(sent);
      if (answer.status === 503) await sleep(PAUSE_AFTER_503_MS);
      return answer;
    } finally {
      const tookMs = performance.now() - startedMs;
      this.slowestMs = Math.max(this.slowestMs, tookMs);
      if (tookMs > this.#hungMs) this.hung.push(hungText(sent, startedMs, tookMs));
    }
  }
}

function hungText({ origin, path }: Sent, startedMs: number, tookMs: number): string {
  return `${path} of ${origin} took ${Math.round(tookMs)} ms from ${Math.round(startedMs)} on`;
}
