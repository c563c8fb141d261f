import { gunzipSync } from "node:zlib";
import { rawRequest } from "../bench/raw-request.ts";
import { RawConnection } from "../bench/raw-connection.ts";

const HEAD_CHARACTERS = 1_000;
/** The first byte of compressed data; JSON never begins with it. */
const GZIP = 0x1f;

/**
 * A server's answer. It is parsed only when asked for, because the client shares the cores with the server it
 * tests.
 */
export class Answer {
  readonly status: number;
  readonly #bytes: Buffer;

  constructor(status: number, bytes: Buffer) {
    this.status = status;
    this.#bytes = bytes;
  }

  /**
   * What precedes the result of a backtest. This works for a compressed answer too, where it is a stored
   * block.
   */
  get head(): string {
    return this.#bytes.toString("latin1", 0, HEAD_CHARACTERS);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  get body(): any {
    const bytes = this.#bytes[0] === GZIP ? gunzipSync(this.#bytes) : this.#bytes;
    return JSON.parse(bytes.toString()) as unknown;
  }
}

export interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20_000;

/** The requests of one client, over kept connections: as many as there are requests at once. */
export class JsonClient {
  readonly #idle = new Map<string, RawConnection[]>();
  readonly #busy = new Set<RawConnection>();

  /** Rejects if no complete answer came: the connection was refused, broken, or silent for too long. */
  async send({ origin, path, key, body, headers }: Sent): Promise<Answer> {
    const text = rawRequest({ path, key, ...(body && { body: JSON.stringify(body) }) });
    const lines = Object.entries(headers ?? {}).map(([name, value]) => `\r\n${name}: ${value}`);
    const connection = await this.#connectionTo(origin);
    this.#busy.add(connection);
    const timer = setTimeout(() => connection.close(), TIMEOUT_MS);
    try {
      const answer = await connection.send(text.replace("\r\n\r\n", `${lines.join("")}\r\n\r\n`));
      this.#idleOf(origin).push(connection);
      return new Answer(answer.status, answer.body);
    } finally {
      clearTimeout(timer);
      this.#busy.delete(connection);
    }
  }

  close(): void {
    for (const connection of [...this.#busy, ...[...this.#idle.values()].flat()])
      connection.close();
  }

  async #connectionTo(origin: string): Promise<RawConnection> {
    const idle = this.#idleOf(origin);
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) if (kept.open) return kept;
    return await RawConnection.open(Number(new URL(origin).port));
  }

  #idleOf(origin: string): RawConnection[] {
    const idle = this.#idle.get(origin) ?? [];
    this.#idle.set(origin, idle);
    return idle;
  }
}
