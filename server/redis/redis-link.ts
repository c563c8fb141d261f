import { Redis } from "ioredis";
import type { Socket } from "node:net";
import { AccountsUnavailable } from "../accounts/accounts.ts";
import type { LuaScript } from "./lua-script.ts";

export type RedisValue = string | number | Buffer;

/** How long a socket may take to be there. */
const CONNECT_MS = 1_000;
/** How long the first answer may take; nobody's request waits for it. */
const NAMED_MS = 2_000;

/** Answers after which this connection is of no use: another one may reach a Redis that can. */
const USELESS =
  /^(LOADING|READONLY|NOAUTH|NOSCRIPT|WRONGPASS|MASTERDOWN|CLUSTERDOWN|DENIED|ERR max number of clients)/;
/** What Redis in protected mode says in nine hundred letters before it closes a connection from another machine. */
const PROTECTED = /^DENIED .*protected mode/s;
/** What Node says of a certificate that nobody it trusts vouches for. */
const UNTRUSTED =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/;
/**
 * A script met a command its user may not run, and has done its first half. Rights are looked at when a connection is made,
 * so they were changed since; the next connection will not be used.
 */
const HALF_FORBIDDEN = /can't run this command/;
/** A script of ours that does not run is a defect, not an outage. */
const DEFECT = /^ERR .*(user_script|@user_script|script:)/s;

/**
 * One connection from its making to its end. It never reconnects and never queues: a command goes out at once
 * or fails at once, and when one is not answered in time the socket is destroyed, so that a Redis that
 * stood still reads as little as possible of what nobody waits for any more.
 */
export class RedisLink {
  readonly #client: Redis;
  readonly #name: string;
  readonly #waiting = new Set<(error: Error) => void>();
  readonly #onEnd: (reason: string) => void;
  /** The first reason stands: what follows it is its consequence. */
  #reason: string | undefined;

  constructor(address: string, name: string, onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
    this.#name = name;
    this.#client = new Redis(address, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      protocol: 2,
      disableClientInfo: true,
      // LOADING is seen by the first command; ioredis's own check would wait for its end without a limit.
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

  /** Why it ended; empty while it has not. */
  get reason(): string {
    return this.#reason ?? "";
  }

  /**
   * Resolves when the socket is there and Redis took user, password and database. The name is sent by us, because ioredis
   * does not listen to its answer, and a Redis that lets nobody in says why to what it is sent first.
   */
  async connect(): Promise<void> {
    try {
      await this.#client.connect();
      // A user that may not name its connection goes without.
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

  /**
   * Sends a command; rejects with `AccountsUnavailable` when the answer is not there within the time. `texts` says
   * whether the strings of the answer are text or bytes.
   */
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
      // Where this process stood still itself, the answer may be here already: it is read first.
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

  /** Ends the connection: whoever waits is told now, and nothing that arrives later is heard. */
  drop(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#client.disconnect();
    // Only ends its own half, which a Redis that stands still never answers.
    const stream: Socket | undefined = this.#client.stream; // none before `connect`
    stream?.destroy();
    for (const fail of waiting) fail(new AccountsUnavailable(reason));
    this.#onEnd(reason);
  }

  /** Without its cause: an ioredis error carries the command's arguments, and they may be secret. */
  #failureOf(error: unknown): Error {
    const text = textOf(error);
    if (USELESS.test(text) || HALF_FORBIDDEN.test(text)) this.drop(`Redis answers: ${text}`);
    else if (DEFECT.test(text)) return new Error(`a Redis script failed: ${text}`);
    return new AccountsUnavailable(this.#reason ?? `Redis answers: ${text}`);
  }
}

function textOf(error: unknown): string {
  // A name with several addresses fails with all of their errors, and a message of its own that is empty.
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
