import { describe, expect, test } from "vitest";
import { sendRaw } from "../../../support/http-raw.ts";
import { errorOf, sharedServer, usedBy } from "../../../support/server-fixture.ts";

const { server, key, raw } = await sharedServer();

describe("a key", () => {
  test.each([
    ["none", []],
    ["another scheme", ["Authorization: Basic YTpi"]],
    ["a scheme without a key", ["Authorization: Bearer"]],
  ])("that is missing (%s) is 401 missing_api_key", async (_, headers) => {
    const line = "GET /v1/strategies HTTP/1.1\r\nHost: a\r\n";
    const sent = `${line}${headers.map((each) => `${each}\r\n`).join("")}\r\n`;
    const { responses } = await sendRaw(server.http.port, sent);
    expect(responses[0]!.status).toBe(401);
    expect(responses[0]!.headers["www-authenticate"]).toBe("Bearer");
    expect(responses[0]!.headers["ratelimit"]).toBeUndefined();
    expect(JSON.parse(responses[0]!.body).error.code).toBe("missing_api_key");
  });

  test("that does not hold gets one text, whatever is wrong with it", async () => {
    const revoked = await server.accountsFixture.account("free", "revoked@example.com");
    await server.state.admin.revokeKey({ key: revoked.key });
    const flipped = key.endsWith("a") ? `${key.slice(0, -1)}b` : `${key.slice(0, -1)}a`;
    const wrong = [
      "x",
      "hs_live_",
      `hs_live_${"0".repeat(36)}`,
      flipped,
      revoked.key,
      "hs_\u00e9",
      "x".repeat(4000),
    ];
    const messages = new Set<string>();
    for (const each of wrong) {
      const { responses } = await sendRaw(
        server.http.port,
        raw("GET /v1/strategies", [`Authorization: Bearer ${each}`]),
      );
      expect(responses[0]!.status, `of ${each}`).toBe(401);
      expect(responses[0]!.headers["www-authenticate"]).toBe("Bearer");
      const { error } = JSON.parse(responses[0]!.body);
      expect(error.code).toBe("invalid_api_key");
      messages.add(error.message);
    }
    expect([...messages]).toEqual(["the API key is malformed, mistyped, unknown or revoked"]);
  });

  test("in two headers is refused, even when they agree", async () => {
    for (const second of [`Bearer ${key}`, "Basic YTpi"]) {
      const twice = [`Authorization: Bearer ${key}`, `Authorization: ${second}`];
      const { responses } = await sendRaw(server.http.port, raw("GET /v1/strategies", twice));
      expect(JSON.parse(responses[0]!.body).error.code).toBe("invalid_api_key");
    }
  });

  test("may be named by a scheme in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "bEaReR"]) {
      const { responses } = await sendRaw(
        server.http.port,
        raw("GET /v1/strategies", [`Authorization: ${scheme} ${key}`]),
      );
      expect(responses[0]!.status).toBe(200);
    }
  });
});

describe("a limit", () => {
  test("of the minute is 429 with the seconds to wait, and refused requests cost nothing", async () => {
    const own = await server.key("slow", "minute@example.com");
    const statuses = [];
    for (let call = 0; call < 4; call++) {
      const response = await server.get("/v1/strategies", own);
      statuses.push(response.status);
      if (response.status !== 429) continue;
      expect(response.headers.get("retry-after")).toBe("60");
      expect(response.headers.get("ratelimit")).toMatch(
        /^"minute";r=0;t=60, "month";r=999998;t=\d+$/,
      );
      expect((await errorOf(response)).code).toBe("rate_limited");
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(usedBy(server, own)).toBe(2);
    server.clock.pass(60_000);
    expect((await server.get("/v1/strategies", own)).status).toBe(200);
  });

  test("that is met 200 times in a second ends the connection of each further call", async () => {
    const own = await server.key("slow", "flood@example.com");
    const sent = raw("GET /v1/strategies", [`Authorization: Bearer ${own}`]);
    const ends = async () => (await sendRaw(server.http.port, sent)).closed;
    for (let call = 0; call < 2 + 199; call++) await server.get("/v1/strategies", own);
    expect([await ends(), await ends()]).toEqual([false, true]);
    server.clock.pass(1000);
    expect(await ends()).toBe(false);
  });

  test("of the minute counts errors too", async () => {
    const own = await server.key("slow", "errors@example.com");
    for (const path of ["/v1/dca", "/v1/dca?coin=nope"]) {
      const response = await server.get(path, own);
      expect(response.status).toBe(400);
      expect(response.headers.get("ratelimit")).toContain('"month";r=1000000;');
    }
    expect((await server.get("/v1/strategies", own)).status).toBe(429);
  });

  test("of the month is 429 with the seconds to its end", async () => {
    const own = await server.key("three", "month@example.com");
    for (let call = 0; call < 3; call++) await server.get("/v1/strategies", own);
    const response = await server.get("/v1/strategies", own);
    expect(response.status).toBe(429);
    const monthEnd = Date.parse("2026-03-01T00:00:00Z");
    const seconds = Math.ceil((monthEnd - server.clock.nowMs()) / 1000);
    expect(response.headers.get("retry-after")).toBe(String(seconds));
    expect(response.headers.get("ratelimit")).toContain(`"month";r=0;t=${seconds}`);
    const { code, message } = await errorOf(response);
    expect(code).toBe("quota_exceeded");
    expect(message).toContain('plan "three" allows 3 calls and 3 are used');
  });

  test("of the month admits exactly what is left, whatever races", async () => {
    const own = await server.key("three", "race@example.com");
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => server.get("/v1/signals?coin=btc", own)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(37);
  });
});

describe("a refusal before any parameter", () => {
  test.each([
    ["GET", "/v1/nothing", {}, 404, /^no such path "\/v1\/nothing"; .*\/v1 and \/api\/v1$/],
    ["GET", "/v1/buyhold", {}, 404, /; did you mean "\/v1\/buy-hold"\? the documentation/],
    ["GET", "/dca", {}, 404, /; did you mean "\/v1\/dca"\? /],
    ["GET", "/v1/signals/", {}, 404, /; did you mean "\/v1\/signals"\? /],
    ["GET", "/v1/signals/btc", {}, 404, /; did you mean "\/v1\/signals"\? /],
    ["GET", "/v1/signals.json", {}, 404, /; did you mean "\/v1\/signals"\? /],
    ["GET", "/v1/btc", {}, 404, /no such path "\/v1\/btc"; the documentation/],
    ["GET", "/v1/v1/signals", {}, 404, /; did you mean "\/v1\/signals"\? /],
    ["GET", "/v1/backtests/7/", {}, 404, /; did you mean "\/v1\/backtests\/7"\? /],
    ["GET", "/backtests/7", {}, 404, /; did you mean "\/v1\/backtests\/7"\? /],
    ["GET", "/v1", {}, 404, /^no such path "\/v1"; the documentation is at/],
    ["GET", "/v1/", {}, 404, /^no such path "\/v1\/"; the documentation is at/],
    ["GET", "/api", {}, 404, /^no such path "\/api"; the documentation is at/],
    ["GET", "/v1/backtests/7%0a", {}, 404, /^this account has no backtest with the id "7%0a"$/],
    ["GET", `/v1/${"dca".repeat(30)}`, {}, 404, /dca\.\.\."; the documentation is at/],
    ["PATCH", "/v1/dca", {}, 405, /^this path takes GET, HEAD, OPTIONS, got "PATCH"$/],
    ["POST", "/v1/overfitting", { "content-type": "text/csv" }, 415, /, got "text\/csv"$/],
    ["POST", "/v1/overfitting", {}, 415, /"application\/json", got none$/],
  ])("of %s %s %j says what was given and what is allowed", async (...given) => {
    const [method, path, headers, status, message] = given;
    const response = await fetch(server.origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers } as Record<string, string>,
    });
    expect(response.status).toBe(status);
    expect((await errorOf(response)).message).toMatch(message);
  });
});
