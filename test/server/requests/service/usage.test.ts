import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable, type Accounts } from "../../../../accounts/accounts.ts";
import { dateOfDay } from "../../../../quant/calendar.ts";
import type { Json } from "../../../support/json.ts";
import {
  changedAccounts,
  refusalOf,
  ServerFixture,
  TEST_PLANS,
  usedBy,
  withServer,
} from "../../../support/server-fixture.ts";
import { FIRST_DAY } from "../../../support/server-market.ts";
import { schemaFaults } from "../../../support/server-schema.ts";

let server: ServerFixture;
beforeEach(async () => {
  server = await ServerFixture.start();
});
afterEach(() => server.close());

async function usage(key: string, own = server, base = "/v1"): Promise<Json> {
  const response = await own.get(`${base}/usage`, key);
  expect(response.status).toBe(200);
  const body: Json = await response.json();
  expect(schemaFaults("/usage", 200, body)).toEqual([]);
  return body;
}

/** An account on the plan with backtests, and one of its test keys. */
async function paidAccount(): Promise<{ key: string; testKey: string; accountId: string }> {
  const made = await server.accountsFixture.account("paid", "pat@example.com", TEST_PLANS);
  const { admin } = server.state;
  const { key: testKey } = await admin.createKey(made.account.id, "test");
  return { key: made.key, testKey, accountId: made.account.id };
}

describe("GET /usage", () => {
  test("says what the account has, has used, and has left", async () => {
    const { key, testKey, accountId } = await paidAccount();
    await server.get("/v1/strategies", key);
    await server.get("/v1/dca?coin=btc", key);
    await server.get("/v1/dca?coin=eth", key);
    await server.get("/v1/dca?coin=eth", testKey);
    const job = { strategy: "ma_cross", start_date: dateOfDay(FIRST_DAY + 300) };
    expect((await server.post("/v1/backtests", key, job)).status).toBe(200);

    const { data, meta } = await usage(key);
    expect(data.attribution.license).toBe("CC BY 4.0");
    expect(data.account_id).toBe(accountId);
    expect(data.plan).toMatchObject({
      name: "paid",
      price_usd: null,
      calls_per_month: 100,
      rate_per_minute: 1_000_000,
      backtest_units: 10,
      concurrent_runs: 2,
      check_units: 1,
      trial_ends_at: null,
    });
    const month = { period: "2026-02", resets_at: "2026-03-01T00:00:00.000Z" };
    expect(data.quota).toEqual({ env: "live", used: 13, limit: 100, remaining: 87, ...month });
    expect(data.other_quota).toEqual({ env: "test", used: 1, limit: 100, remaining: 99, ...month });
    expect(meta).toEqual({
      plan: "paid",
      quota: { used: 13, limit: 100, remaining: 87 },
      stale: true, // 2022-06-18 to 2026-02-10
      age_days: 1333,
    });
    expect(data.rate).toMatchObject({ limit: 1_000_000, window_seconds: 60 });
    expect(data.backtests_running).toBe(1);
    const date = "2026-02-10";
    expect(data.calls).toEqual([
      { date, env: "live", endpoint: "/backtests", calls: 1, units: 10 },
      { date, env: "live", endpoint: "/dca", calls: 2, units: 2 },
      { date, env: "live", endpoint: "/strategies", calls: 1, units: 1 },
      { date, env: "test", endpoint: "/dca", calls: 1, units: 1 },
    ]);
  });

  test("puts a test key's own quota first, and the plan as it holds for it", async () => {
    const { key, testKey } = await paidAccount();
    await server.get("/v1/strategies", key);
    const { data, meta } = await usage(testKey);
    expect(data.quota).toMatchObject({ env: "test", used: 0, limit: 100 });
    expect(data.other_quota).toMatchObject({ env: "live", used: 1, limit: 100 });
    expect(meta.quota.used).toBe(0);
    expect(data.plan).toMatchObject({ name: "paid", backtest_units: null, concurrent_runs: null });
    expect(data.keys.find((each: Json) => each.current).env).toBe("test");
  });

  test("shows keys by their ends only, and which one asks", async () => {
    const { key, testKey } = await paidAccount();
    const response = await server.get("/v1/usage", key);
    const text = await response.text();
    for (const secret of [key, testKey]) expect(text).not.toContain(secret.slice(0, 20));
    const { keys } = (JSON.parse(text) as Json).data;
    expect(keys).toHaveLength(2);
    const asking = keys.find((each: Json) => each.current);
    expect(asking).toMatchObject({
      env: "live",
      prefix: key.slice(0, 12),
      last_four: key.slice(-4),
      expires_at: null,
    });
    expect(keys.filter((each: Json) => each.current)).toHaveLength(1);
  });

  test("names a trial's end, and the free plan after it", async () => {
    const { key, account } = await server.accountsFixture.account("trial");
    const during = (await usage(key)).data;
    const end = new Date(account.trialEndsMs!).toISOString();
    expect(during.plan).toMatchObject({ name: "trial", trial_ends_at: end });
    expect(during.quota).toMatchObject({ period: "trial", limit: 1_000, resets_at: end });
    server.clock.pass(account.trialEndsMs! - server.clock.nowMs());
    const after = (await usage(key)).data;
    expect(after.plan).toMatchObject({ name: "free", trial_ends_at: null });
    expect(after.quota).toMatchObject({ period: "2026-02", limit: 100 });
  });

  test("is free, counts against the minute, and is the same under the alias", async () => {
    const key = await server.key("slow");
    const first = await usage(key);
    expect(first.data.rate).toEqual({
      limit: 2,
      remaining: 1,
      window_seconds: 60,
      reset_seconds: 60,
    });
    expect((await usage(key, server, "/api/v1")).data.quota).toEqual(first.data.quota);
    const third = await server.get("/v1/usage", key);
    expect(await refusalOf(third)).toEqual([429, "rate_limited"]);
    expect(usedBy(server, key)).toBe(0);
  });

  test("answers an account that has nothing left", async () => {
    const key = await server.key("three");
    for (let call = 0; call < 4; call++) await server.get("/v1/strategies", key);
    const { data } = await usage(key);
    expect(data.quota).toMatchObject({ used: 3, limit: 3, remaining: 0 });
  });

  test("must not be stored by others", async () => {
    const response = await server.get("/v1/usage", await server.key());
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("etag")).toBeNull();
    expect(response.headers.get("ratelimit")).toContain('"month";r=1000000');
  });

  test.each([
    ["/v1/usage", undefined, 401, "missing_api_key"],
    ["/v1/usage?x=1", undefined, 401, "missing_api_key"],
    ["/v1/usage?x=1", "good", 400, "invalid_parameter"],
    ["/v1/usage/", "good", 404, "not_found"],
  ])("checks %s in the contract's order (key: %s)", async (path, which, status, code) => {
    const key = which === undefined ? undefined : await server.key();
    const response = await server.get(path, key);
    expect(await refusalOf(response)).toEqual([status, code]);
  });

  test("is 503 where the store cannot say", async () => {
    const report = () => {
      throw new AccountsUnavailable("gone");
    };
    const broken = (accounts: Accounts) => changedAccounts(accounts, { report });
    await withServer({ wrap: broken }, async (own) => {
      const response = await own.get("/v1/usage", await own.key());
      expect(await refusalOf(response)).toEqual([503, "unavailable"]);
      expect(own.defects).toEqual([]);
    });
  });

  test("waits for a snapshot like the rest: its answer says where the data comes from", async () => {
    await withServer({ snapshot: null }, async (own) => {
      expect((await own.get("/v1/usage", await own.key())).status).toBe(503);
    });
  });
});
