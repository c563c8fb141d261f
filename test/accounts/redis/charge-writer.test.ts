import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { ChargeWriter } from "../../../accounts/redis/charge-writer.ts";
import type { LuaScript } from "../../../accounts/redis/lua-script.ts";
import type { RedisLink } from "../../../accounts/redis/redis-link.ts";
import { describeOnRedis, redisOfTests } from "../../support/redis-server.ts";

const WITHIN_MS = 100;
const USED = "used:live:2026-02";
/** One call of an account. */
const VALUES = ["ann", "1", 60, "0", [[USED, 100, "2026-02-10|live|/dca", 1]]] as const;

describeOnRedis("a group of charges whose answer is lost", () => {
  const redis = redisOfTests();
  let client: Redis;
  let writer: ChargeWriter;
  /** The scripts that never reached Redis, to be sent late. */
  let late: (() => Promise<unknown>)[];

  beforeAll(() => {
    client = redis().client();
  });
  afterAll(() => client.disconnect());
  beforeEach(async () => {
    await client.flushall();
    await client.hset("hs:account:ann", { rev: "1" });
    [writer, late] = [new ChargeWriter(), []];
    await writer.connect(link(), WITHIN_MS);
    await writer.charge(link(), [VALUES], WITHIN_MS);
  });

  /** A connection that answers, or ends as its one script's answer is lost, or the script itself. */
  function link(lost?: "answer" | "script"): RedisLink {
    let open = true;
    return {
      get open() {
        return open;
      },
      drop: () => void (open = false),
      async run({ text }: LuaScript, values: readonly (string | number)[]) {
        const run = () => client.eval(text, 0, ...values);
        if (lost === "script") late.push(run);
        const answer = lost === "script" ? undefined : await run();
        if (lost === undefined) return answer;
        open = false;
        throw new AccountsUnavailable("no answer");
      },
    } as unknown as RedisLink;
  }

  const used = async () => Number(await client.hget("hs:account:ann", USED));
  const lose = (lost: "answer" | "script") =>
    expect(writer.charge(link(lost), [VALUES], WITHIN_MS)).rejects.toThrow(AccountsUnavailable);
  const connect = (lost?: "answer" | "script") => writer.connect(link(lost), WITHIN_MS);

  test.each(["answer", "script"] as const)("is not charged where it is the %s", async (lost) => {
    await lose(lost);
    expect(await used()).toBe(lost === "answer" ? 2 : 1);
    expect(writer.owes).toBe(true);
    await connect();
    expect(writer.owes).toBe(false);
    await connect();
    for (const arrive of late) expect(await arrive(), "too late").toBe("[0]");
    expect(await used(), "reversed once").toBe(1);
  });

  test.each(["answer", "script"] as const)(
    "is reversed once if the reversal's own %s is lost",
    async (lost) => {
      await lose("answer");
      await expect(connect(lost)).rejects.toThrow(AccountsUnavailable);
      expect(writer.owes).toBe(true);
      await connect();
      expect(await used()).toBe(1);
      await writer.charge(link(), [VALUES], WITHIN_MS);
      for (const arrive of late) await arrive();
      expect(await used()).toBe(2);
    },
  );

  test("is not reversed where Redis came back without it", async () => {
    await lose("answer");
    await client.del(await key());
    await client.hset("hs:account:ann", USED, 1);
    await connect();
    expect(await used()).toBe(1);
  });

  test("is refused where Redis does not know the server, until it connects again", async () => {
    await client.del(await key());
    const refused = link();
    await expect(writer.charge(refused, [VALUES], WITHIN_MS)).rejects.toThrow("no longer knows");
    expect(refused.open, "so it is made again").toBe(false);
    await connect();
    await writer.charge(link(), [VALUES], WITHIN_MS);
    expect(await used()).toBe(2);
  });

  async function key(): Promise<string> {
    const [own = ""] = await client.keys("hs:writer:*");
    return own;
  }
});
