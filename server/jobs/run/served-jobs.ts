import type { JobCall, JobCalls, JobReply } from "../job-calls.ts";
import type { JobRunStore } from "../job-store.ts";

type Args<Name extends keyof JobCalls> = Parameters<JobCalls[Name]>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The jobs of the server that started this process, which keeps them in its state file: each call is a message. */
export class ServedJobs implements JobRunStore {
  readonly #send: (call: JobCall) => void;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #isGone = false;

  constructor(send: (call: JobCall) => void) {
    this.#send = send;
  }

  /** Call with each reply of the server. */
  replied({ id, result, error }: JobReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }

  /** Call once the server is gone: what it has not answered fails. */
  serverIsGone(): void {
    this.#isGone = true;
    for (const each of this.#waiting.values()) each.reject(gone());
    this.#waiting.clear();
  }

  claim(...args: Args<"claim">) {
    return this.#call("claim", args);
  }

  finish(...args: Args<"finish">) {
    return this.#call("finish", args);
  }

  release(...args: Args<"release">) {
    return this.#call("release", args);
  }

  tend(...args: Args<"tend">) {
    return this.#call("tend", args);
  }

  counts() {
    return this.#call("counts", []);
  }

  #call<Name extends keyof JobCalls>(
    name: Name,
    args: Args<Name>,
  ): Promise<Awaited<ReturnType<JobCalls[Name]>>> {
    if (this.#isGone) return Promise.reject(gone());
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#send({ kind: "call", id, name, args });
    });
  }
}

function gone(): Error {
  return new Error("the server is gone");
}
