import { Redis } from "ioredis";
import type { Socket } from "node:net";
import { AccountsUnavailable } from "./accounts-unavailable.ts";
import type { LuaScript } from "./lua-script.ts";

export type RedisValue = string | number | Buffer;

/** Time limit for connecting a socket. */
const CONNECT_MS = 1_000;
/** Time limit of the first answer. No request waits for it. */
const NAMED_MS = 2_000;

/** Answers after which this connection is useless, while another may reach a Redis that can answer. */
const USELESS =
  /^(LOADING|READONLY|NOAUTH|NOSCRIPT|WRONGPASS|MASTERDOWN|CLUSTERDOWN|DENIED|ERR max number of clients)/;
/** The answer of a Redis in protected mode to another machine: nine hundred letters, before it hangs up. */
const PROTECTED = /^DENIED .*protected mode/s;
/** The codes of Node's errors for a certificate without a trusted authority. */
const UNTRUSTED =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/;
/**
 * A script was refused a command, key or channel after doing its first half, in the words of Redis 7.0, and of 7.2 and
 * later. Rights are checked on every new connection, so they have changed since. The next connection fails that check.
 */
const HALF_FORBIDDEN = /^ERR (The user executing the script can't|ACL failure in script)/;
/** A failure of a script, which is a defect and not an outage. */
const DEFECT = /^ERR .*(user_script|@user_script|script:)/s;

/**
 * One connection, which never reconnects and never queues: a command is sent at once or fails at once. If an answer is
 * late, the socket is destroyed, so that a Redis that was suspended later reads as few timed-out commands as possible.
 */
export class RedisLink {
  readonly #client: Redis;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #onEnd: (reason: string) => void;
  /** The first reason, of which later ones are consequences. */
  #reason: string | undefined;

  constructor(address: string, name: string, onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
    this.#name = name;
    this.#client = new Redis(address, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      protocol: 2,
      disableClientInfo: true,
      // The first command meets LOADING. The check of ioredis would wait for its end without a limit.
      enableReadyCheck: false,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: null,
      retryStrategy: null,
    });
    this.#client.on("error", (error: Error) => this.drop(textOf(error)));
    this.#client.on("close", () => this.drop("the connection was closed"));
    this.#client.on("end", () => this.drop("the connection was closed"));
  }

  get open(): boolean {
    return this.#reason === undefined;
  }

  /** The reason why it ended; "" while it is open. */
  get reason(): string {
    return this.#reason ?? "";
  }

  /**
   * Resolves once the socket is connected and Redis has accepted user, password and database. The name is sent here, because
   * ioredis ignores the answer, and a Redis in protected mode gives its reason in answer to the first command.
   */
  async connect(): Promise<void> {
    try {
      await this.#client.connect();
      // A user without the right to name its connection uses it unnamed.
      await this.call("CLIENT", ["SETNAME", this.#name], NAMED_MS).catch(() => {});
    } catch (error) {
      this.drop(textOf(error));
    }
    if (this.#reason !== undefined) throw new AccountsUnavailable(this.#reason);
  }

  /** Runs a loaded script. Keys are passed as arguments, since this is one Redis and never a cluster. */
  run(
    script: LuaScript,
    values: readonly RedisValue[],
    withinMs: number,
    texts: "text" | "bytes" = "text",
  ): Promise<unknown> {
    return this.call("EVALSHA", [script.sha, 0, ...values], withinMs, texts);
  }

  /** Rejects with `AccountsUnavailable` if the answer is late. `texts`: the type of strings in the answer. */
  call(
    command: string,
    values: readonly RedisValue[],
    withinMs: number,
    texts: "text" | "bytes" = "text",
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#reason !== undefined) {
        reject(new AccountsUnavailable(this.#reason));
        return;
      }
      const settle = () => {
        clearTimeout(timer);
        this.#waiting.delete(fail);
      };
      const fail = (error: Error) => {
        settle();
        reject(error);
      };
      const late = () => {
        if (this.#waiting.has(fail)) this.drop(`Redis did not answer within ${withinMs} ms`);
      };
      // If this process was suspended, the answer may have arrived, so read it first.
      const timer = setTimeout(() => setImmediate(late), withinMs);
      this.#waiting.add(fail);
      const answered = (error: Error | null | undefined, value: unknown) => {
        if (error) {
          fail(this.#failureOf(error));
        } else {
          settle();
          resolve(value);
        }
      };
      if (texts === "text") void this.#client.call(command, [...values], answered);
      else void this.#client.callBuffer(command, [...values], answered);
    });
  }

  /** Ends the connection: all waiting commands fail now, and later answers are ignored. */
  drop(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#client.disconnect();
    // `disconnect` only ends our half, which a suspended Redis never answers.
    const stream: Socket | undefined = this.#client.stream; // undefined before `connect`
    stream?.destroy();
    for (const fail of waiting) fail(new AccountsUnavailable(reason));
    this.#onEnd(reason);
  }

  /** Without a cause, because an ioredis error carries the command's arguments, which may be secret. */
  #failureOf(error: unknown): Error {
    const text = textOf(error);
    if (USELESS.test(text) || HALF_FORBIDDEN.test(text)) this.drop(`Redis answers: ${text}`);
    else if (DEFECT.test(text)) return new Error(`a Redis script failed: ${text}`);
    return new AccountsUnavailable(this.#reason ?? `Redis answers: ${text}`);
  }
}

function textOf(error: unknown): string {
  // A host name with several addresses fails with an error for each and an empty message.
  if (error instanceof AggregateError && error.message === "") {
    return error.errors.map((each: unknown) => textOf(each)).join("; ");
  }
  if (!(error instanceof Error)) return String(error);
  if (PROTECTED.test(error.message)) {
    return "DENIED: it is in protected mode, and lets other machines in only when its user has a password";
  }
  if ("code" in error && UNTRUSTED.test(String(error.code))) {
    return `the certificate of Redis is not trusted (${error.message}): name the file of its authority in NODE_EXTRA_CA_CERTS`;
  }
  return error.message;
}
