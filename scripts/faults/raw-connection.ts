import { createConnection, type Socket } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export interface RawAnswer {
  readonly status: number;
  /** As received, perhaps compressed. */
  readonly body: Buffer;
}

/**
 * One kept connection to a server on this machine, one request at a time. It costs next to nothing compared
 * with the server, which shares the cores with it. Answers must have a `Content-Length`.
 */
export class RawConnection {
  readonly #socket: Socket;
  #held: Buffer = Buffer.alloc(0);
  #waiting: PromiseWithRejection | undefined;
  #open = true;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#add(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("the connection was closed")));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = createConnection({ host: "127.0.0.1", port });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new RawConnection(socket);
  }

  /** Whether another request can be sent, as far as we know. */
  get open(): boolean {
    return this.#open;
  }

  /** Sends a request as `rawRequest` writes it. */
  send(request: string): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      if (!this.#open) {
        reject(new Error("the connection was closed"));
        return;
      }
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #add(chunk: Buffer): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = bytes;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = bytes.toString("latin1", 0, headEnd);
    const bodyAt = headEnd + HEAD_END.length;
    const end = bodyAt + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    if (bytes.length < end) return;
    this.#held = bytes.subarray(end);
    const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status, body: bytes.subarray(bodyAt, end) });
  }

  #fail(error: Error): void {
    this.#open = false;
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

interface PromiseWithRejection {
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: Error) => void;
}
