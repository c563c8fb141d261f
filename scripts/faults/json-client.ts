import { setTimeout as sleep } from "node:timers/promises";

/** A server's answer. It is parsed lazily, because the client shares the cores with the server. */
export class Answer {
  readonly status: number;
  readonly #text: string;

  constructor(status: number, text: string) {
    this.status = status;
    this.#text = text;
  }

  /** What precedes the result of a backtest. */
  get head(): string {
    return this.#text.slice(0, HEAD_CHARACTERS);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  get body(): any {
    return JSON.parse(this.#text) as unknown;
  }
}

const HEAD_CHARACTERS = 1_000;
const TIMEOUT_MS = 20_000;
/** After a 503 a client waits a moment as it is asked to, only not for so long. */
const PAUSE_AFTER_503_MS = 10;
/** Requests that took longer than this are remembered one by one, up to a limit. */
const SLOW_MS = 1_000;
const SLOW_MAX = 10_000;

interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that took long, answered or not. Instants are those of `performance.now`. */
export interface SlowRequest {
  readonly origin: string;
  readonly path: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A client that notes how long it waited, with or without an answer. */
export class JsonClient {
  requests = 0;
  readonly slow: SlowRequest[] = [];

  /** Rejects if no complete answer came: the connection was refused, broken, or silent for too long. */
  async send({ origin, path, key, body, headers }: Sent): Promise<Answer> {
    this.requests++;
    const fromMs = performance.now();
    const json = { "content-type": "application/json" };
    let answer: Answer;
    try {
      const response = await fetch(origin + path, {
        headers: { authorization: `Bearer ${key}`, ...(body && json), ...headers },
        ...(body && { method: "POST", body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      answer = new Answer(response.status, await response.text());
    } finally {
      const toMs = performance.now();
      if (toMs - fromMs > SLOW_MS && this.slow.length < SLOW_MAX) {
        this.slow.push({ origin, path, fromMs, toMs });
      }
    }
    if (answer.status === 503) await sleep(PAUSE_AFTER_503_MS);
    return answer;
  }
}
