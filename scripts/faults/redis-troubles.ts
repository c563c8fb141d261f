import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisChild } from "./redis-child.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

/** One way in which a Redis fails, and its end. */
export interface RedisTrouble {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Makes Redis sleep for 1.5 ms at each key it loads, so that clients find it loading. */
const SLOW_LOADING = { "key-load-delay": "1500" };
const SAVED_WAIT_MS = 300;

/**
 * Every kind of failure of a Redis that `docs/redis.md` describes. `link` is the network between Redis and the server.
 */
export function redisTroubles(redis: RedisChild, link: TcpProxy): readonly RedisTrouble[] {
  const client = redis.client();
  client.on("error", () => {}); // Redis is away now and then
  const run = async (...words: readonly string[]) =>
    void (await client.call(words[0]!, words.slice(1)));
  const slow = (delayMs: number): RedisTrouble => ({
    name: `slow: ${2 * delayMs} ms an answer`,
    begin: async () => void (link.delayMs = delayMs),
    end: async () => void (link.delayMs = 0),
  });
  return [
    { name: "refused", begin: () => redis.kill(), end: () => redis.start() },
    {
      name: "stopped",
      begin: async () => redis.signal("SIGSTOP"),
      end: async () => redis.signal("SIGCONT"),
    },
    slow(50),
    slow(120),
    slow(400),
    loading(redis, run),
    {
      name: "READONLY",
      begin: () => run("REPLICAOF", "127.0.0.1", "1"),
      end: () => run("REPLICAOF", "NO", "ONE"),
    },
    {
      name: "OOM",
      begin: () => run("CONFIG", "SET", "maxmemory", "1"),
      end: () => run("CONFIG", "SET", "maxmemory", "0"),
    },
    misconf(redis.folder, run),
    restartedEmpty(redis),
  ];
}

type Run = (...words: readonly string[]) => Promise<void>;

/** Redis is there, but answers nothing until all keys are loaded. */
function loading(redis: RedisChild, run: Run): RedisTrouble {
  let started: Promise<void> = Promise.resolve();
  return {
    name: "LOADING",
    begin: async () => {
      await run("BGREWRITEAOF"); // otherwise it would sleep for every command there ever was
      await sleep(SAVED_WAIT_MS);
      await redis.kill();
      started = redis.start(SLOW_LOADING);
    },
    end: () => started,
  };
}

/** Redis cannot save and therefore accepts no writes. */
function misconf(folder: string, run: Run): RedisTrouble {
  const file = join(folder, "dump.rdb");
  return {
    name: "MISCONF",
    begin: async () => {
      mkdirSync(file); // prevents a file of that name
      await run("CONFIG", "SET", "save", "3600 1");
      await run("BGSAVE");
      await sleep(SAVED_WAIT_MS);
    },
    end: async () => {
      rmSync(file, { recursive: true });
      await run("BGSAVE");
      await run("CONFIG", "SET", "save", "");
    },
  };
}

function restartedEmpty(redis: RedisChild): RedisTrouble {
  const [data, aside] = [join(redis.folder, "appendonlydir"), join(redis.folder, "aside")];
  return {
    name: "restarted empty",
    begin: async () => {
      await redis.kill();
      renameSync(data, aside);
      await redis.start();
    },
    end: async () => {
      await redis.kill();
      rmSync(data, { recursive: true });
      renameSync(aside, data);
      await redis.start();
    },
  };
}
