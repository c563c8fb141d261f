import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { luaScript } from "../../../accounts/redis/lua-script.ts";
import { RedisLink } from "../../../accounts/redis/redis-link.ts";

/** A link to a fake Redis that treats its clients like this. */
async function linkTo(meet: (socket: Socket) => void): Promise<RedisLink> {
  const redis = createServer(meet);
  onTestFinished(() => void redis.close());
  redis.listen(0, "127.0.0.1");
  await once(redis, "listening");
  const { port } = redis.address() as AddressInfo;
  return new RedisLink(`redis://127.0.0.1:${port}`, "test", () => {});
}

/** The reason of a link's end, after a fake Redis sent this text and hung up. */
async function refusedWith(answer: string): Promise<string> {
  const link = await linkTo((socket) => {
    socket.on("error", () => {});
    socket.end(`-${answer}\r\n`);
  });
  await link.connect().catch(() => {});
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

test.each([
  ["The user executing the script can't run this command or subcommand", "7.0"],
  ["The user executing the script can't publish to the channel mentioned in the command", "7.0"],
  ["ACL failure in script: User h has no permissions to run the 'hset' command", "7.2"],
  ["ACL failure in script: No permissions to access a channel", "7.2"],
])('ends where its user lost a right that a script needs: "%s" of Redis %s', async (said) => {
  const link = await linkTo((socket) => {
    socket.on("error", () => {});
    socket.on("data", (asked) => {
      const isScript = asked.includes("EVALSHA");
      socket.write(isScript ? `-ERR ${said} script: f00, on @user_script:1.\r\n` : "+OK\r\n");
    });
  });
  await link.connect();
  const run = link.run(luaScript("any", "return 1"), [], 10_000);
  await expect(run).rejects.toThrow(AccountsUnavailable);
  expect(link.reason, "no second script is half run").toContain(said);
});
