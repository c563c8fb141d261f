import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { RedisConnection } from "../../../accounts/redis/connection.ts";
import { luaScript } from "../../../accounts/redis/lua-script.ts";
import { until } from "../../support/until.ts";

const SCRIPT = luaScript("nothing", "return 1");
const REMIND_MS = 30_000;

/** A fake Redis that sends this text to every client and hangs up, or says nothing at all. */
let says: string | undefined;
let redis: Server;
let joined: number;
let nowMs: number;
let warnings: string[];
let connection: RedisConnection;

beforeEach(async () => {
  [says, joined, nowMs, warnings] = ["LOADING Redis is loading", 0, 0, []];
  redis = createServer((socket) => {
    joined++;
    socket.on("error", () => {});
    socket.once("data", () => {
      if (says !== undefined) socket.end(`-${says}\r\n`);
    });
  });
  redis.listen(0, "127.0.0.1");
  await once(redis, "listening");
});
afterEach(async () => {
  await connection.close();
  redis.close();
});

function connect(): string {
  const { port } = redis.address() as AddressInfo;
  const where = `redis://127.0.0.1:${port}`;
  connection = new RedisConnection({
    address: where.replace("//", "//ann:secret@"),
    name: "test",
    scripts: [SCRIPT],
    monotonicMs: () => nowMs,
    warn: (message) => warnings.push(message),
  });
  return where;
}

const use = () => connection.link;

describe("a connection that is not there", () => {
  test("refuses at once, and says why without a password", async () => {
    const where = connect();
    expect(use).toThrow(AccountsUnavailable);
    expect(use).toThrow(`${where}: not connected yet`);
    expect(await connection.whenReady(1)).toBe(false);
    await until(() => warnings.length > 0);
    expect(use).toThrow(`${where}: LOADING Redis is loading`);
  });

  test("is tried again, later and later, and warned of now and then or for another reason", async () => {
    connect();
    const begunMs = performance.now();
    const tries = async (count: number) => {
      const before = joined;
      await until(() => joined >= before + count);
    };
    await tries(3);
    expect(warnings).toHaveLength(1);
    nowMs = REMIND_MS - 1;
    await tries(2);
    expect(warnings).toHaveLength(1);
    nowMs = REMIND_MS;
    await tries(2);
    expect(warnings).toHaveLength(2);
    says = "NOAUTH Authentication required.";
    await tries(2);
    expect(warnings).toHaveLength(3);
    expect(warnings[2]).toContain("cannot be used: NOAUTH");
    expect(performance.now() - begunMs, "nine times or more").toBeGreaterThan(1_000);
  });

  test("is given up when it is closed, even with a Redis that says nothing", async () => {
    says = undefined;
    connect();
    const ready = connection.whenReady(60_000);
    await until(() => joined === 1);
    const closing = performance.now();
    await connection.close();
    expect(performance.now() - closing).toBeLessThan(500);
    expect(await ready).toBe(false);
    expect(await connection.whenReady(60_000)).toBe(false);
    expect(use).toThrow("the connection was closed");
    expect([joined, warnings]).toEqual([1, []]);
  });
});
