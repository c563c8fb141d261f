import { createConnection, type Socket } from "node:net";
import { AnswerSplitter } from "./answer-splitter.ts";

interface RawAnswer {
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
  #waiting: PromiseWithRejection | undefined;
  #open = true;

  private constructor(socket: Socket) {
    this.#socket = socket.setNoDelay(true);
    const splitter = new AnswerSplitter((status, body) => this.#answered({ status, body }));
    socket.on("data", (chunk: Buffer) => splitter.add(chunk));
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

  #answered(answer: RawAnswer): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
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
