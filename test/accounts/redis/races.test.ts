import { afterEach, beforeEach, expect, test } from "vitest";
import { tinyPlans } from "../../support/accounts-fixture.ts";
import { LINK_LIMITS } from "../../../accounts/shares.ts";
import {
  accessSteps,
  asking,
  linkTo,
  outcomeOf,
} from "../../support/accounts-contract/access-steps.ts";
import { callerOf } from "../../support/accounts-contract/bench.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis, redisOfTests } from "../../support/redis-server.ts";
import { charge } from "../../support/charge.ts";

const redis = redisOfTests();
let bench: RedisBench;

beforeEach(async () => {
  bench = await RedisBench.on(redis());
});
afterEach(() => bench.close());

describeOnRedis("servers that race", () => {
  test("spend the last unit once", async () => {
    const plans = tinyPlans(1);
    const { key, account } = await bench.account("tiny", "a@example.com", plans);
    const servers = await Promise.all([1, 2, 3, 4].map(() => bench.server(plans)));
    const callers = await Promise.all(servers.map((each) => callerOf(each, key, bench.nowMs)));
    const decisions = await Promise.all(
      servers.flatMap((server, index) =>
        Array.from({ length: 250 }, () => charge(server, callers[index]!, 1, bench.nowMs, "/dca")),
      ),
    );
    expect(decisions.filter(({ kind }) => kind === "charged")).toHaveLength(1);
    const { allowances, endpoints } = await (await bench.admin(plans)).usageOf(account.id);
    expect(allowances[0]?.used).toBe(1);
    expect(endpoints).toMatchObject([{ calls: 1, units: 1 }]);
  });

  test("open one account for an address, one session by a link, and as many links as there may be", async () => {
    const signIns = await Promise.all([1, 2, 3].map(() => accessSteps(() => bench)()));
    const admins = await Promise.all([1, 2, 3].map(() => bench.admin()));
    const opened = await Promise.allSettled(
      admins.map((admin) => admin.createAccount({ email: "ann@example.com", plan: "free" })),
    );
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const token = await linkTo(signIns[0]!, "ann@example.com"); // there are three
    const outcomes = await Promise.all(signIns.map((signIn) => outcomeOf(signIn, token)));
    expect(outcomes.sort()).toEqual(["signed_in", "used", "used"]);
    const links = await Promise.all(
      signIns.flatMap((signIn, s) =>
        Array.from({ length: 10 }, (_, n) =>
          signIn.askSignIn(`ann${s}${n}@example.com`, asking("203.0.113.7")),
        ),
      ),
    );
    expect(links.filter((link) => typeof link !== "string")).toHaveLength(LINK_LIMITS.networks[0]);
    const { id } = await admins[0]!.findAccount("ann@example.com");
    await Promise.all(admins.flatMap((admin) => [1, 2, 3].map(() => admin.createKey(id, "live"))));
    expect(await admins[0]!.listKeys(id)).toHaveLength(10);
  });

  test("count every charge of every account, of any endpoint, in any order", async () => {
    const servers = await Promise.all([1, 2, 3].map(() => bench.server()));
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => bench.account("scale", `user${n}@example.com`)),
    );
    const charges = servers.flatMap((server, s) =>
      Array.from({ length: 300 }, async (_, n) => {
        const { key } = made[(n + s) % made.length]!;
        const caller = await callerOf(server, key, bench.nowMs);
        const endpoint = n % 3 === 0 ? "/dca" : "/signals";
        return await charge(server, caller, n % 7 === 0 ? 10 : 1, bench.nowMs, endpoint);
      }),
    );
    expect((await Promise.all(charges)).every(({ kind }) => kind === "charged")).toBe(true);
    const admin = await bench.admin();
    const usages = await Promise.all(made.map(({ account }) => admin.usageOf(account.id)));
    const units = 3 * (300 + 9 * Math.ceil(300 / 7));
    expect(usages.reduce((sum, each) => sum + each.allowances[0]!.used, 0)).toBe(units);
    const rows = usages.flatMap(({ endpoints }) => endpoints);
    expect(rows.reduce((sum, each) => sum + each.calls, 0)).toBe(900);
    expect(rows.reduce((sum, each) => sum + each.units, 0)).toBe(units);
  });
});
