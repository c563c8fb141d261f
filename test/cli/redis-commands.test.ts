import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callerOf } from "../support/accounts-contract/bench.ts";
import { RedisBench } from "../support/accounts-contract/redis-bench.ts";
import { create, json, runCommand } from "../support/command-line.ts";
import { describeOnRedis, redisOfTests } from "../support/redis-server.ts";
import { bearer } from "../support/bearer.ts";
import { charge } from "../support/charge.ts";

describeOnRedis("the commands on Redis", () => {
  const redis = redisOfTests();
  let bench: RedisBench;

  beforeEach(async () => {
    bench = await RedisBench.on(redis());
    vi.stubEnv("HINDSIGHT_STATE", redis().address);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await bench.close();
  });

  test("make, show, change and end accounts and keys while a server runs", async () => {
    const server = await bench.server();
    const made = await create();
    expect((await callerOf(server, made.key, Date.now())).plan.name).toBe("developer");
    expect((await runCommand("accounts", "set-plan", made.account_id, "scale")).code).toBe(0);
    await server.refresh();
    const caller = await callerOf(server, made.key, Date.now());
    expect(caller.plan.name).toBe("scale");
    await charge(server, caller, 10, Date.now(), "/backtests");
    const shown = await runCommand("accounts", "show", "ann@example.com");
    expect(shown.out).toContain("10 of 1,000,000 calls used");
    const second = await json<{ id: string; key: string }>(
      "keys",
      "create",
      "--account",
      made.account_id,
      "--env",
      "test",
    );
    expect((await callerOf(server, second.key, Date.now())).env).toBe("test");
    expect((await runCommand("keys", "revoke", "--key", second.key)).code).toBe(0);
    await server.refresh();
    expect(await server.authenticate(bearer(second.key), Date.now())).toBeUndefined();
    const rotated = await json<{ key: string }>("keys", "rotate", "--key", made.key);
    await server.refresh();
    expect(await server.authenticate(bearer(made.key), Date.now())).toBeUndefined();
    expect(await server.authenticate(bearer(rotated.key), Date.now())).toBeDefined();
    expect(await json<unknown[]>("accounts", "list")).toHaveLength(1);
    expect(await json<unknown[]>("keys", "list", "--account", made.account_id)).toHaveLength(3);
  });

  test("say in one line that there are no accounts, or no Redis, and never the password", async () => {
    for (const command of ["list", "show"]) {
      const missing = await runCommand(
        "accounts",
        command,
        ...(command === "show" ? ["acc_x"] : []),
      );
      expect(missing).toMatchObject({ code: 1, out: "" });
      expect(missing.err).toMatch(
        /^error: there are no accounts at "redis:[^"]+": create an account first/,
      );
    }
    vi.stubEnv("HINDSIGHT_STATE", "redis://user:secret@127.0.0.1:1");
    const away = await runCommand("accounts", "list");
    expect(away.code).toBe(1);
    expect(away.err).toMatch(
      /^error: redis:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/,
    );
    vi.stubEnv("HINDSIGHT_STATE", "redis://user:secret@127.0.0.1:1/x");
    const wrong = await runCommand("accounts", "list");
    expect(wrong.code).toBe(2);
    expect(away.err + wrong.err).not.toContain("secret");
  });

  test("do not begin to work on jobs where Redis is out of reach", async () => {
    const state = ["--state", "redis://user:secret@127.0.0.1:1", "--snapshots", "nowhere"];
    const work = await runCommand("work", ...state, "--metrics-port", "none");
    expect(work.code).toBe(1);
    expect(work.err).toMatch(/redis:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/);
    expect(work.err).not.toContain("secret");
  });
});
