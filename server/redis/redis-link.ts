import { Redis } from "ioredis";
import type { Socket } from "node:net";
import { AccountsUnavailable } from "./accounts-unavailable.ts";
import type { LuaScript } from "./lua-script.ts";

export type RedisValue = string | number | Buffer;

/** Time limit for connecting a socket. */
const CONNECT_MS = 1_000;
/** Time limit for the first answer; no request waits for it. */
const NAMED_MS = 2_000;

/** Answers that make this connection useless: another one may reach a Redis that can answer. */
const USELESS =
  /^(LOADING|READONLY|NOAUTH|NOSCRIPT|WRONGPASS|MASTERDOWN|CLUSTERDOWN|DENIED|ERR max number of clients)/;
/** What Redis in protected mode answers another machine, in nine hundred letters, before it hangs up. */
const PROTECTED = /^DENIED .*protected mode/s;
/** Node's errors for a certificate without a trusted authority. */
const UNTRUSTED =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/;
/**
 * A script hit a command, key or channel that its user may not use, after doing its first half. In the words of
 * Redis 7.0, and of 7.2 and later. Rights are checked when a connection is made, so they have changed since; the next
 * connection will fail that check and not be used.
 */
const HALF_FORBIDDEN = /^ERR (The user executing the script can't|ACL failure in script)/;
/** A script of ours that does not run is a defect and not an outage. */
const DEFECT = /^ERR .*(user_script|@user_script|script:)/s;

/**
 * One connection from its making to its end. It never reconnects and never queues: a command goes out at once
 * or fails at once. If a command is not answered in time the socket is destroyed, so that a Redis that was
 * stopped later reads as little as possible of commands that have timed out.
 */
export class RedisLink {
  readonly #client: Redis;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #onEnd: (reason: string) => void;
  /** The first reason is kept; later ones are its consequences. */
  #reason: string | undefined;

  constructor(address: string, name: string, onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
    this.#name = name;
    this.#client = new Redis(address, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      protocol: 2,
      disableClientInfo: true,
      // The first command sees LOADING. ioredis's own check would wait for its end without a limit.
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

  /** Why it ended; empty while it is alive. */
  get reason(): string {
    return this.#reason ?? "";
  }

  /**
   * Resolves once the socket is connected and Redis has accepted user, password and database. We send the
   * name ourselves because ioredis ignores the answer, and a Redis in protected mode gives its reason in
   * answer to the first command.
   */
  async connect(): Promise<void> {
    try {
      await this.#client.connect();
      // A user that may not name its connection does without a name.
      await this.call("CLIENT", ["SETNAME", this.#name], NAMED_MS).catch(() => {});
    } catch (error) {
      this.drop(textOf(error));
    }
    if (this.#reason !== undefined) throw new AccountsUnavailable(this.#reason);
  }

  /** Runs a loaded script. All keys are passed as arguments: this is one Redis, never a cluster. */
  run(
    script: LuaScript,
    values: readonly RedisValue[],
    withinMs: number,
    texts: "text" | "bytes" = "text",
  ): Promise<unknown> {
    return this.call("EVALSHA", [script.sha, 0, ...values], withinMs, texts);
  }

  /** Rejects with `AccountsUnavailable` if the answer is late. `texts`: what strings in it are read as. */
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
      // If this process itself was suspended, the answer may be here already, so read it first.
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

  /** Ends the connection: all waiting commands fail now, and anything that arrives later is ignored. */
  drop(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#client.disconnect();
    // This only ends our own half, which a stopped Redis never answers.
    const stream: Socket | undefined = this.#client.stream; // undefined before `connect`
    stream?.destroy();
    for (const fail of waiting) fail(new AccountsUnavailable(reason));
    this.#onEnd(reason);
  }

  /** Leaves out the cause: an ioredis error carries the command's arguments, which may be secret. */
  #failureOf(error: unknown): Error {
    const text = textOf(error);
    if (USELESS.test(text) || HALF_FORBIDDEN.test(text)) this.drop(`Redis answers: ${text}`);
    else if (DEFECT.test(text)) return new Error(`a Redis script failed: ${text}`);
    return new AccountsUnavailable(this.#reason ?? `Redis answers: ${text}`);
  }
}

function textOf(error: unknown): string {
  // A name with several addresses fails with an error for each, and an empty message of its own.
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
