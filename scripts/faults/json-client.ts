import { Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";

/** What a server answered; bodies are read to their end. */
export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  readonly body: any;
}

export interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Asks for a compressed answer, as most clients do by themselves. */
  readonly gzip?: boolean;
}

const TIMEOUT_MS = 20_000;

/** Requests of one client over connections that are kept. */
export class JsonClient {
  readonly #agent: Agent;

  constructor(connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Rejects when no whole answer came: the connection was refused, broken, or silent for too long. */
  send({ origin, path, key, body, headers, gzip = false }: Sent): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const accept = gzip ? { "accept-encoding": "gzip" } : {};
    const typed = text === undefined ? {} : { "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      const options = {
        agent: this.#agent,
        method: text === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, ...typed, ...accept, ...headers },
        timeout: TIMEOUT_MS,
      };
      const sent = request(origin + path, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("close", () => {
          const encoded = response.headers["content-encoding"] === "gzip";
          if (response.complete) resolve(answerOf(response.statusCode, chunks, encoded));
          else reject(new Error("the answer was cut off"));
        });
      });
      sent.on("error", reject);
      sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
      sent.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function answerOf(status: number | undefined, chunks: readonly Buffer[], encoded: boolean): Answer {
  const bytes = Buffer.concat(chunks);
  const text = (encoded ? gunzipSync(bytes) : bytes).toString();
  return { status: status ?? 0, body: JSON.parse(text) as unknown };
}
