import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { Redis } from "ioredis";
import { watched } from "../support/child-processes.ts";
import { freePort } from "../support/free-port.ts";
import { ownFolder } from "../support/own-folder.ts";

/** Long, because there may be gigabytes of results to load. */
const READY_TIMEOUT_MS = 60_000;
const READY_STEP_MS = 10;

/** The files with which Redis accepts TLS and nothing else. */
interface RedisTls {
  readonly certificate: string;
  readonly key: string;
}

/**
 * A Redis server on a free port of this machine, with its own data folder: to be killed, stopped and started
 * again. `settings` are those of redis.conf, such as `{ appendonly: "yes" }`.
 */
export class RedisChild {
  readonly address: string;
  /** Where it keeps its data. */
  readonly folder = ownFolder("redis");
  readonly #port: number;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #tls: RedisTls | undefined;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  private constructor(port: number, settings: Readonly<Record<string, string>>, tls?: RedisTls) {
    this.#port = port;
    this.address = `${tls === undefined ? "redis" : "rediss"}://127.0.0.1:${port}`;
    this.#settings = settings;
    this.#tls = tls;
  }

  static async start(
    settings: Readonly<Record<string, string>> = {},
    tls?: RedisTls,
  ): Promise<RedisChild> {
    const redis = new RedisChild(await freePort(), settings, tls);
    await redis.start();
    return redis;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts it with the data it left, and resolves once it answers. `besides` are settings for this time only. */
  async start(besides: Readonly<Record<string, string>> = {}): Promise<void> {
    const usual = { save: "", "maxmemory-policy": "noeviction" };
    const settings = { ...usual, ...this.#settings, ...besides };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const own = [...this.#listening(), "--bind", "127.0.0.1", "--dir", this.folder];
    const child = watched(spawn("redis-server", [...own, ...args], { stdio: "ignore" }));
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.on("exit", () => resolve());
      child.on("error", () => resolve()); // it is not installed
    });
    await this.#answers();
  }

  /** Sends a signal. SIGSTOP and SIGCONT leave it running or stopped; others end it. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<void> {
    this.signal("SIGKILL");
    await this.#ended;
  }

  /** A client for a test's own use. */
  client(): Redis {
    return new Redis(this.address, { disableClientInfo: true, protocol: 2, ...this.#trust() });
  }

  /** Ends it and deletes its data. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #listening(): string[] {
    const port = String(this.#port);
    if (this.#tls === undefined) return ["--port", port];
    const { certificate, key } = this.#tls;
    const files = ["--tls-cert-file", certificate, "--tls-key-file", key];
    return ["--port", "0", "--tls-port", port, ...files, "--tls-auth-clients", "no"];
  }

  /** A client trusts the server's own certificate. */
  #trust() {
    return this.#tls === undefined ? {} : { tls: { ca: readFileSync(this.#tls.certificate) } };
  }

  async #answers(): Promise<void> {
    const client = new Redis(this.address, {
      ...this.#trust(),
      disableClientInfo: true,
      maxRetriesPerRequest: null,
      retryStrategy: () => READY_STEP_MS,
    });
    client.on("error", () => {}); // it is still starting
    const timer = setTimeout(() => this.signal("SIGKILL"), READY_TIMEOUT_MS);
    try {
      const ended = this.#ended.then(() => {
        throw new Error("redis-server ended before it answered, or is not installed");
      });
      await Promise.race([client.ping(), ended]);
    } finally {
      clearTimeout(timer);
      client.disconnect();
    }
  }
}
