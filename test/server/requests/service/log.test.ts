import { describe, expect, test } from "vitest";
import type { Accounts } from "../../../../accounts/accounts.ts";
import { openLog } from "../../../../server/process/open-log.ts";
import { serviceLog } from "../../../../server/process/service-log.ts";
import { changedAccounts, bearer, withServer } from "../../../support/server-fixture.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";

/** A log as the server opens it, and the lines it wrote. */
function logAt(level: "debug" | "info") {
  const lines: string[] = [];
  const stream = { write: (text: string) => void lines.push(text) };
  const monotonicMs = () => 1_000.25; // the service's own clock is at 1,000
  return { log: serviceLog(openLog({ level, stream }), monotonicMs), lines };
}

describe("the log of requests", () => {
  test("has one line for each, with what it was and how long it took", async () => {
    const { log, lines } = logAt("debug");
    await withServer({ log }, async (own) => {
      const key = await own.key();
      await own.get("/v1/strategies", key, { "x-request-id": "mine" });
      await own.get("/v1/dca?coin=nope", key);
      await own.get("/v1/dca", undefined);
    });
    const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told).toMatchObject([
      { level: 20, request_id: "mine", method: "GET", path: "/v1/strategies", status: 200 },
      { path: "/v1/dca", status: 400, code: "unknown_coin" },
      { path: "/v1/dca", status: 401, code: "missing_api_key" },
    ]);
    expect(told[0]!["account"]).toMatch(/^acc_/);
    expect(told[2]!["account"]).toBeUndefined();
    for (const line of told) expect(line["ms"]).toBe(0.25);
  });

  test("has none at the level that servers run at", async () => {
    const { log, lines } = logAt("info");
    await withServer({ log }, async (own) => {
      await own.get("/v1/strategies", await own.key());
    });
    expect(lines).toEqual([]);
  });

  test("holds no key, wherever a caller put one, nor in what a defect says", async () => {
    const { log, lines } = logAt("debug");
    let leaked = "";
    const defective = (accounts: Accounts): Accounts =>
      changedAccounts(accounts, {
        report() {
          throw new TypeError(`odd: ${leaked}`);
        },
      });
    await withServer({ log, wrap: defective }, async (own) => {
      const key = await own.key();
      leaked = key;
      const encoded = key.replaceAll("_", "%5F");
      await own.get(`/v1/${key}`, key);
      await own.get(`/v1/${encoded}`, key);
      await own.get(`/v1/strategies?api_key=${key}`, key);
      await own.get("/v1/strategies", key, { "x-request-id": key, "x-api-key": key });
      await own.get("/v1/strategies", key, { origin: `https://${key}.example` });
      await own.post("/v1/backtests", key, { strategy: key }, { "idempotency-key": key });
      await own.get(`/v1/backtests/${key}`, key);
      expect((await own.get("/v1/usage", key)).status).toBe(500);
      const twice = [bearer(key), bearer(key)];
      await sendRaw(own.http.port, requestText(`GET /v1/signals?key=${key}`, twice));
      expect(lines.length).toBe(10);
      const secret = key.slice("hs_live_".length, -8); // even a part of the secret is too much
      for (const line of lines) expect(line).not.toContain(secret);
      expect(lines.join("")).toContain("hs_live_...");
    });
  });
});
