import { afterEach, beforeEach, expect, test } from "vitest";
import { TcpProxy } from "../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import type { Admin, AccountsAdmin } from "../../../accounts/accounts-admin.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import { COMMIT } from "../../../accounts/redis/commit-script.ts";
import { RedisBench } from "../../support/accounts-contract/redis-bench.ts";
import { describeOnRedis, redisOfTests } from "../../support/redis-server.ts";
import { untilItPasses } from "../../support/until.ts";

let bench: RedisBench;
let proxy: TcpProxy;
/** Connected through the proxy. */
let far: Admin;
let near: AccountsAdmin;
let ann: NewAccount;

describeOnRedis("a change by a command", () => {
  const redis = redisOfTests();

  beforeEach(async () => {
    bench = await RedisBench.on(redis());
    proxy = await TcpProxy.to(Number(new URL(redis().address).port));
    near = await bench.admin();
    far = await bench.adminOf(`redis://127.0.0.1:${proxy.port}`);
    ann = await bench.account("developer");
  });
  afterEach(async () => {
    await bench.close();
    await proxy.close();
  });

  test.each([
    ["account", () => near.createAccount({ email: "bob@example.com", plan: "free" })],
    ["plan", () => near.setPlan(ann.account.id, "scale")],
    ["key", () => near.createKey(ann.account.id, "live")],
    ["key for another", () => near.rotateKey({ id: ann.record.id }, 0)],
    ["end of a key", () => near.revokeKey({ key: ann.key })],
  ])("is the last that is asked, so that what it made is not lost: a new %s", async (_, run) => {
    const asked: string[] = [];
    const client = redis().client();
    const monitor = await client.monitor();
    monitor.on("monitor", (_: string, command: readonly string[], from: string) => {
      if (from !== "lua") asked.push(command.slice(0, 2).join(" ").toLowerCase());
    });
    await run();
    await client.ping("over");
    await untilItPasses(() => expect(asked.at(-1)).toBe("ping over"));
    expect(asked.at(-2)).toBe(`evalsha ${COMMIT.sha}`);
    monitor.disconnect();
    client.disconnect();
  });

  test("tells what Redis has then", async () => {
    const { id } = ann.account;
    const { replaced, record } = await near.rotateKey({ id: ann.record.id }, 60_000);
    expect(await near.listKeys(id)).toEqual(expect.arrayContaining([replaced, record]));
    const sooner = await near.rotateKey({ id: replaced.id }, 30_000);
    expect(sooner.replaced.expiresMs).toBe(bench.nowMs + 30_000);
    const later = await near.rotateKey({ id: replaced.id }, 60_000);
    expect(later.replaced.expiresMs, "a later end gives no more time").toBe(bench.nowMs + 30_000);
    const revoked = await near.revokeKey({ id: record.id });
    bench.standStill(1);
    expect(await near.revokeKey({ id: record.id })).toEqual(revoked);
    expect(await near.listKeys(id)).toEqual(expect.arrayContaining([later.replaced, revoked]));
    expect(await near.setPlan(id, "free")).toEqual(await near.findAccount(id));
  });

  test("says that it may have been made where the answer is lost", async () => {
    const { id } = ann.account;
    const lost = far.store
      .change(async (tx) => {
        const account = (await tx.get("account", id))!; // it was made
        proxy.mode = "lose answers";
        tx.put("account", id, { ...account, plan: "scale" });
      })
      .catch((error: unknown) => error);
    await untilItPasses(async () => expect((await near.findAccount(id)).plan).toBe("scale"));
    await proxy.close();
    const error = await lost;
    expect(error).toBeInstanceOf(AccountsUnavailable);
    expect(String(error)).toContain("the change may have been made all the same");
    const unsent = far.createKey(ann.account.id, "live");
    await expect(unsent).rejects.not.toThrow("may have been made");
  });
});
