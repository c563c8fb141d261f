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

export interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export class JsonClient {
  /** Rejects if no complete answer came: the connection was refused, broken, or silent for too long. */
  async send({ origin, path, key, body, headers }: Sent): Promise<Answer> {
    const json = { "content-type": "application/json" };
    const response = await fetch(origin + path, {
      headers: { authorization: `Bearer ${key}`, ...(body && json), ...headers },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return new Answer(response.status, await response.text());
  }
}
