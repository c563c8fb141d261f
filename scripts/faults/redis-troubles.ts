import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RedisChild } from "./redis-child.ts";
import type { TcpProxy } from "./tcp-proxy.ts";

/** One way for a Redis to fail, and the end of it. */
export interface RedisTrouble {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** Makes Redis sleep this many microseconds for each key it loads, so that clients find it loading. */
const SLOW_LOADING = { "key-load-delay": "1500" };
const SAVED_WAIT_MS = 300;

/** Every kind of failure of a Redis that `docs/redis.md` describes. `link` is between it and the server. */
export function redisTroubles(redis: RedisChild, link: TcpProxy): readonly RedisTrouble[] {
  const run = runner(redis);
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
    loading(redis),
    {
      name: "READONLY",
      begin: () => run(["REPLICAOF", "127.0.0.1", "1"]),
      end: () => run(["REPLICAOF", "NO", "ONE"]),
    },
    {
      name: "OOM",
      begin: () => run(["CONFIG", "SET", "maxmemory", "1"]),
      end: () => run(["CONFIG", "SET", "maxmemory", "0"]),
    },
    misconf(redis),
    restartedEmpty(redis),
  ];
}

/** Runs commands one after another. */
function runner(redis: RedisChild) {
  return async (...commands: readonly string[][]): Promise<void> => {
    const client = redis.client();
    for (const [name = "", ...values] of commands) await client.call(name, values);
    client.disconnect();
  };
}

/** Where Redis keeps its data. */
async function folderOf(redis: RedisChild): Promise<string> {
  const client = redis.client();
  const [, folder = ""] = (await client.config("GET", "dir")) as string[];
  client.disconnect();
  return folder;
}

/** Redis is there but answers nothing until all keys are loaded. */
function loading(redis: RedisChild): RedisTrouble {
  let started: Promise<void> = Promise.resolve();
  return {
    name: "LOADING",
    begin: async () => {
      await runner(redis)(["BGREWRITEAOF"]); // otherwise it would sleep for every command there ever was
      await sleep(SAVED_WAIT_MS);
      await redis.kill();
      started = redis.start(SLOW_LOADING);
    },
    end: () => started,
  };
}

/** Redis cannot save and therefore accepts no writes. */
function misconf(redis: RedisChild): RedisTrouble {
  const run = runner(redis);
  let file = "";
  return {
    name: "MISCONF",
    begin: async () => {
      file = join(await folderOf(redis), "dump.rdb");
      mkdirSync(file); // prevents a file of that name
      await run(["CONFIG", "SET", "save", "3600 1"], ["BGSAVE"]);
      await sleep(SAVED_WAIT_MS);
    },
    end: async () => {
      rmSync(file, { recursive: true });
      await run(["BGSAVE"], ["CONFIG", "SET", "save", ""]);
    },
  };
}

function restartedEmpty(redis: RedisChild): RedisTrouble {
  let folder = "";
  return {
    name: "restarted empty",
    begin: async () => {
      folder = await folderOf(redis);
      await redis.kill();
      renameSync(join(folder, "appendonlydir"), join(folder, "aside"));
      await redis.start();
    },
    end: async () => {
      await redis.kill();
      rmSync(join(folder, "appendonlydir"), { recursive: true });
      renameSync(join(folder, "aside"), join(folder, "appendonlydir"));
      await redis.start();
    },
  };
}
