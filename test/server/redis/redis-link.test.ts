import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { RedisLink } from "../../../server/redis/redis-link.ts";

/** Why a link ended after it met a Redis that sends everybody this text and hangs up. */
async function refusedWith(answer: string): Promise<string> {
  const redis = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(`-${answer}\r\n`);
  });
  redis.listen(0, "127.0.0.1");
  await once(redis, "listening");
  const { port } = redis.address() as AddressInfo;
  const link = new RedisLink(`redis://127.0.0.1:${port}`, "test", () => {});
  await link.connect().catch(() => {});
  redis.close();
  return link.reason;
}

test("tells why a Redis in protected mode lets it not in", async () => {
  const said =
    "DENIED Redis is running in protected mode because protected mode is enabled. Or else.";
  expect(await refusedWith(said)).toMatch(/DENIED: it is in protected mode, .+ a password$/);
});

test("tells that a Redis has too many clients", async () => {
  const said = "ERR max number of clients reached";
  expect(await refusedWith(said)).toContain(said);
});
