import type { ChildProcess } from "node:child_process";

/** What is left of an error on the other side: failures cross processes and threads as data. */
interface Failure {
  readonly message: string;
  /** Of an error of the system. */
  readonly code?: string | undefined;
  readonly errno?: number | undefined;
}

/** A call of the other side, or the result of one. */
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
      readonly error?: Failure;
    };

type Target = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** One end of a channel between two processes or threads. Each calls the methods of an object of the other. */
export class Channel {
  readonly #send: (message: ChannelMessage) => void;
  readonly #target: object | Promise<object>;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #end: Error | undefined;

  /** Where the target is not there yet, calls wait for it, and fail if it never is. */
  constructor(send: (message: ChannelMessage) => void, target: object | Promise<object>) {
    this.#send = send;
    this.#target = target;
  }

  call(name: string, args: readonly unknown[] = []): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
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
    else waiting?.reject(Object.assign(new Error(message.error.message), message.error));
  }

  /** Call once the other side is gone. Calls that it has not answered fail with the first reason. */
  close(reason = new Error("the other process is gone")): void {
    this.#end ??= reason;
    for (const each of this.#waiting.values()) each.reject(this.#end);
    this.#waiting.clear();
  }

  async #answer(id: number, name: string, args: readonly unknown[]): Promise<void> {
    try {
      const target = (await this.#target) as Target;
      this.#send({ kind: "reply", id, result: await target[name]?.(...args) });
    } catch (error) {
      const { message, code, errno } = error as NodeJS.ErrnoException;
      this.#send({ kind: "reply", id, error: { message, code, errno } });
    }
  }
}

/** This process's end of the channel to a process that it started, which may call these functions. */
export function childChannel(child: ChildProcess, functions: object = {}): Channel {
  const send = (message: ChannelMessage) => {
    if (child.connected) child.send(message, () => {});
  };
  const channel = new Channel(send, functions);
  child.on("message", (message: ChannelMessage) => channel.received(message));
  child.once("exit", () => channel.close());
  return channel;
}

/** A process's end of the channel to the one that started it, which may call these functions. */
export function parentChannel(functions: object): Channel {
  const send = (message: ChannelMessage) => {
    if (process.connected) process.send?.(message, () => {});
  };
  const channel = new Channel(send, functions);
  process.on("message", (message: ChannelMessage) => channel.received(message));
  if (process.connected) process.once("disconnect", () => channel.close());
  else channel.close();
  return channel;
}
