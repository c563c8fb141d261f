/** A call of the other process, or the result of one. Failures cross processes as data. */
export type ChannelMessage =
  | {
      readonly kind: "call";
      readonly id: number;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly result?: unknown;
      readonly error?: string;
    };

type Target = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** One end of a channel between two processes. Each calls the methods of an object of the other. */
export class Channel {
  readonly #send: (message: ChannelMessage) => void;
  readonly #target: Target;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #isClosed = false;

  constructor(send: (message: ChannelMessage) => void, target: object) {
    this.#send = send;
    this.#target = target as Target;
  }

  call(name: string, args: readonly unknown[] = []): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(gone());
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ kind: "call", id, name, args });
    });
  }

  /** Call with each message of the other process. */
  received(message: ChannelMessage): void {
    if (message.kind === "call") {
      void this.#answer(message.id, message.name, message.args);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.error));
  }

  /** Call once the other process is gone. Calls that it has not answered fail. */
  close(): void {
    this.#isClosed = true;
    for (const each of this.#waiting.values()) each.reject(gone());
    this.#waiting.clear();
  }

  async #answer(id: number, name: string, args: readonly unknown[]): Promise<void> {
    try {
      this.#send({ kind: "reply", id, result: await this.#target[name]?.(...args) });
    } catch (error) {
      this.#send({ kind: "reply", id, error: String(error) });
    }
  }
}

function gone(): Error {
  return new Error("the other process is gone");
}

/** The backtest process's end of the channel to the server that started it. The server may call these functions. */
export function serverChannel(functions: object): Channel {
  const send = (message: ChannelMessage) => {
    if (process.connected) process.send?.(message, () => {});
  };
  const channel = new Channel(send, functions);
  process.on("message", (message: ChannelMessage) => channel.received(message));
  if (process.connected) process.once("disconnect", () => channel.close());
  else channel.close();
  return channel;
}
