import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Accounts } from "../../server/accounts/accounts.ts";
import { AccountsUnavailable } from "../../server/accounts/accounts.ts";
import type { Endpoint } from "../../server/routes/endpoint.ts";
import { ENDPOINTS } from "../../server/routes/endpoints.ts";
import { SnapshotAnswers } from "../../server/snapshot-answers.ts";
import { sendRaw, type RawResponse } from "../support/http-raw.ts";
import { ServerFixture, type FixtureOptions } from "../support/server-fixture.ts";
import { marketSnapshot } from "../support/server-market.ts";
import { schemaFaults } from "../support/server-schema.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
type Json = any;

let server: ServerFixture;
let key: string;
beforeAll(async () => {
  server = await ServerFixture.start();
  key = await server.key();
});
afterAll(() => server.close());
beforeEach(() => {
  server.clock.pass(61_000); // nobody's minute reaches into the next test
});

/** Runs a test's work on a server of its own. */
async function withServer(
  options: FixtureOptions,
  work: (own: ServerFixture) => Promise<void>,
): Promise<void> {
  const own = await ServerFixture.start(options);
  try {
    await work(own);
  } finally {
    await own.close();
  }
}

async function usedBy(own: ServerFixture, ownKey: string): Promise<number> {
  const caller = own.accounts.authenticate(ownKey, own.clock.nowMs())!;
  return own.accounts.quota(caller, own.clock.nowMs()).used;
}

async function errorOf(response: Response): Promise<{ code: string; message: string; docs_url: string }> {
  const body: Json = await response.json();
  expect(schemaFaults("/signals", response.status, body)).toEqual([]);
  return body.error;
}

/** Bytes as a client sends them, with the key unless the headers say otherwise. */
function raw(line: string, headers: readonly string[] = []): string {
  const authorization = headers.some((each) => each.startsWith("Authorization"))
    ? []
    : [`Authorization: Bearer ${key}`];
  return [`${line} HTTP/1.1`, "Host: test.example", ...authorization, ...headers, "", ""].join("\r\n");
}

const QUERIES = [
  "/signals?coin=btc",
  "/signals?coin=btc&date=2021-01-01",
  "/signals",
  "/signals?date=2020-01-01",
  "/buy-hold?coin=sol",
  "/dca?coin=btc",
  "/dca?coin=eth&amount=0.01&frequency=monthly&start_date=2020-02-29",
  "/strategies",
];

describe("an answer", () => {
  test.each(QUERIES)("%s is the same under both bases, and as the document says", async (query) => {
    const answers = await Promise.all(
      ["/v1", "/api/v1"].map((base) => server.get(base + query, key)),
    );
    const bodies: Json[] = [];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      const body: Json = await answer.json();
      expect(schemaFaults(query.split("?")[0]!, 200, body)).toEqual([]);
      expect(Object.keys(body)).toEqual(["data", "meta"]);
      bodies.push(body);
    }
    expect(bodies[0].data).toEqual(bodies[1].data);
    expect(bodies[1].meta.quota.used).toBe(bodies[0].meta.quota.used + 1);
  });

  test("carries exactly the headers of the contract", async () => {
    const { responses } = await sendRaw(server.http.port, raw("GET /v1/buy-hold?coin=btc"));
    const { headers } = responses[0]!;
    expect(Object.keys(headers).sort()).toEqual(
      [
        "cache-control",
        "content-length",
        "content-type",
        "date",
        "etag",
        "ratelimit",
        "ratelimit-policy",
        "vary",
        "x-request-id",
      ].sort(),
    );
    expect(headers).toMatchObject({
      "cache-control": "private, no-cache",
      "content-type": "application/json; charset=utf-8",
      etag: `W/"${marketSnapshot().id}/buy-hold?coin=btc"`,
      "ratelimit-policy": '"minute";q=1000000;w=60, "month";q=1000000;w=2419200',
      vary: "Accept-Encoding",
    });
    expect(headers["ratelimit"]).toMatch(
      /^"minute";r=\d+;t=60, "month";r=\d+;t=\d+$/,
    );
  });

  test("states the account after the call it stands in", async () => {
    const own = await server.key("three", "after@example.com");
    const metas: Json[] = [];
    for (let call = 0; call < 3; call++) {
      const body: Json = await (await server.get("/v1/strategies", own)).json();
      metas.push(body.meta);
    }
    expect(metas).toEqual(
      [1, 2, 3].map((used) => ({
        plan: "three",
        quota: { used, limit: 3, remaining: 3 - used },
      })),
    );
  });

  test("keeps callers' accounts apart where the data is shared", async () => {
    const plans = ["roomy", "three", "free", "trial"];
    const keys = await Promise.all(plans.map((plan) => server.key(plan, `apart-${plan}@example.com`)));
    const asked = keys.flatMap((each) => [each, each]);
    const bodies: Json[] = await Promise.all(
      asked.map(async (each) => (await server.get("/v1/signals?coin=eth", each)).json()),
    );
    expect(bodies.map(({ meta }) => meta.plan)).toEqual(plans.flatMap((plan) => [plan, plan]));
    for (const at of [0, 2, 4, 6]) {
      expect(bodies.slice(at, at + 2).map(({ meta }) => meta.quota.used).sort()).toEqual([1, 2]);
    }
  });

  test("to HEAD has the headers of GET and is charged as one", async () => {
    const before = await usedBy(server, key);
    const [get] = (await sendRaw(server.http.port, raw("GET /v1/signals"))).responses;
    const head = await sendRaw(server.http.port, raw("HEAD /v1/signals"), { head: true });
    const varying = new Set(["date", "x-request-id", "ratelimit"]);
    const stable = ({ headers }: RawResponse) =>
      Object.entries(headers).filter(([name]) => !varying.has(name));
    expect(stable(head.responses[0]!)).toEqual(stable(get!));
    expect(head.text.endsWith("\r\n\r\n"), "no body").toBe(true);
    expect((await usedBy(server, key)) - before).toBe(2);
  });
});

describe("gzip", () => {
  const lengths = async (path: string, encoding: string) => {
    const { responses, text } = await sendRaw(
      server.http.port,
      raw(`GET ${path}`, [`Accept-Encoding: ${encoding}`]),
    );
    return { headers: responses[0]!.headers, body: responses[0]!.body, text };
  };

  test("is sent when it is asked for, and is the same answer", async () => {
    const plain = await lengths("/v1/signals", "identity");
    const packed = await lengths("/v1/signals", "br, gzip;q=0.8");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.headers["content-encoding"]).toBe("gzip");
    expect(packed.headers["etag"]).toBe(plain.headers["etag"]);
    const unpacked: Json = JSON.parse(gunzipSync(Buffer.from(packed.body, "latin1")).toString());
    const expected: Json = JSON.parse(Buffer.from(plain.body, "latin1").toString());
    expect(unpacked.data).toEqual(expected.data);
    expect(unpacked.meta.quota.used).toBe(expected.meta.quota.used + 1);
    expect(Number(packed.headers["content-length"])).toBeLessThan(
      Number(plain.headers["content-length"]) / 3,
    );
  });

  test("is not sent for less than a KiB", async () => {
    const { headers } = await lengths("/v1/nothing", "gzip");
    expect(headers["content-encoding"]).toBeUndefined();
  });

  test("is read by fetch", async () => {
    const answer = await fetch(`${server.origin}/v1/strategies`, {
      headers: { authorization: `Bearer ${key}`, "accept-encoding": "gzip" },
    });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const body: Json = await answer.json();
    expect(body.data.templates).toHaveLength(22);
  });
});

describe("a conditional request", () => {
  test("whose tag still stands is 304: not charged, and counted against the minute", async () => {
    const own = await server.key("slow", "conditional@example.com");
    const first = await server.get("/v1/dca?coin=btc", own);
    const etag = first.headers.get("etag")!;
    const before = await usedBy(server, own);
    const second = await server.get("/v1/dca?coin=btc", own, { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("etag")).toBe(etag);
    expect(second.headers.get("cache-control")).toBe("private, no-cache");
    expect(second.headers.get("vary")).toBe("Accept-Encoding");
    expect(second.headers.get("ratelimit")).toContain('"minute";r=0;');
    expect(second.headers.get("ratelimit")).toContain('"month";r=999999;');
    expect(second.headers.get("content-type")).toBeNull();
    expect(await usedBy(server, own)).toBe(before);
    expect((await server.get("/v1/dca?coin=btc", own, { "if-none-match": etag })).status).toBe(429);
  });

  test("has one tag for equal parameters, however they are written", async () => {
    const tags = await Promise.all(
      [
        "/v1/dca?coin=btc",
        "/api/v1/dca?coin=btc",
        "/v1/dca?coin=b%74c&amount=100",
        "/v1/dca?amount=1e2&frequency=weekly&coin=btc",
        "/v1/dca?start_date=2020-01-01&coin=btc&amount=100.00",
      ].map(async (path) => (await server.get(path, key)).headers.get("etag")),
    );
    expect(new Set(tags).size).toBe(1);
    const other = await server.get("/v1/dca?coin=btc&amount=101", key);
    expect(other.headers.get("etag")).not.toBe(tags[0]);
  });

  test("with another tag is answered", async () => {
    const answer = await server.get("/v1/strategies", key, { "if-none-match": 'W/"other"' });
    expect(answer.status).toBe(200);
  });

  test("still works when the month is used up", async () => {
    const own = await server.key("three", "used-up@example.com");
    const answers = [];
    for (let call = 0; call < 4; call++) answers.push(await server.get("/v1/strategies", own));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const etag = answers[0]!.headers.get("etag")!;
    const again = await server.get("/v1/strategies", own, { "if-none-match": etag });
    expect(again.status).toBe(304);
  });
});

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
    const admin = server.accountsFixture.admin();
    await admin.revokeKey({ key: revoked.key });
    await admin.close();
    const flipped = key.endsWith("a") ? `${key.slice(0, -1)}b` : `${key.slice(0, -1)}a`;
    const wrong = ["x", "hs_live_", `hs_live_${"0".repeat(36)}`, flipped, revoked.key, "hs_\u00e9", "x".repeat(4000)];
    const messages = new Set<string>();
    for (const each of wrong) {
      const { responses } = await sendRaw(
        server.http.port,
        raw("GET /v1/strategies", [`Authorization: Bearer ${each}`]),
      );
      expect(responses[0]!.status, each).toBe(401);
      expect(responses[0]!.headers["www-authenticate"]).toBe("Bearer");
      const { error } = JSON.parse(responses[0]!.body);
      expect(error.code).toBe("invalid_api_key");
      messages.add(error.message);
    }
    expect([...messages]).toEqual(["the API key is malformed, mistyped, unknown or revoked"]);
  });

  test("in two headers is refused, even when they agree", async () => {
    const twice = [`Authorization: Bearer ${key}`, `Authorization: Bearer ${key}`];
    const { responses } = await sendRaw(server.http.port, raw("GET /v1/strategies", twice));
    expect(JSON.parse(responses[0]!.body).error.code).toBe("invalid_api_key");
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
      expect(response.headers.get("ratelimit")).toMatch(/^"minute";r=0;t=60, "month";r=999998;t=\d+$/);
      expect((await errorOf(response)).code).toBe("rate_limited");
    }
    expect(statuses).toEqual([200, 200, 429, 429]);
    expect(await usedBy(server, own)).toBe(2);
    server.clock.pass(60_000);
    expect((await server.get("/v1/strategies", own)).status).toBe(200);
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

describe("the checks", () => {
  test("run in the contract's order: the first that fails answers", async () => {
    const slow = await server.key("slow", "order@example.com");
    const statusOf = async (path: string, withKey: string | undefined, method = "GET") => {
      const response = await fetch(server.origin + path, {
        method,
        headers: withKey === undefined ? {} : { authorization: `Bearer ${withKey}` },
      });
      return response.status;
    };
    expect(await statusOf("/v1/nothing", "bad"), "path before key").toBe(404);
    expect(await statusOf("/v1/dca", "bad", "DELETE"), "method before key").toBe(405);
    expect(await statusOf("/v1/dca?x", "bad"), "key before parameters").toBe(401);
    for (let call = 0; call < 2; call++) await statusOf("/v1/strategies", slow);
    expect(await statusOf("/v1/dca?x", slow), "minute before parameters").toBe(429);
    const three = await server.key("three", "order3@example.com");
    for (let call = 0; call < 3; call++) await statusOf("/v1/strategies", three);
    expect(await statusOf("/v1/dca?x", three), "parameters before month").toBe(400);
    expect(await statusOf("/v1/strategies", three)).toBe(429);
  });

  test.each([
    ["/", 404],
    ["/v1", 404],
    ["/v1/", 404],
    ["/v2/signals", 404],
    ["/v1/signals/", 404],
    ["/v1//signals", 404],
    ["//v1/signals", 404],
    ["/V1/signals", 404],
    ["/v1/Signals", 404],
    ["/v1/signals%2F", 404],
    ["/v1/signals%00", 404],
    ["/v1/../v1/strategies", 404],
    ["/api/v1", 404],
    ["/api/signals", 404],
    ["/signals", 404],
    ["/v1/overfitting-index", 404],
    ["/v1/%73trategies", 200],
    ["/v1/strategies?", 200],
  ])("of the path %s: %d", async (path, status) => {
    const { responses } = await sendRaw(server.http.port, raw(`GET ${path}`));
    expect(responses[0]!.status).toBe(status);
    if (status === 404) expect(JSON.parse(responses[0]!.body).error.code).toBe("not_found");
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO", "get"])(
    "of the method %s: 405 with what is allowed",
    async (method) => {
      const { responses } = await sendRaw(server.http.port, raw(`${method} /v1/strategies`));
      expect(responses[0]!.status).toBe(405);
      expect(responses[0]!.headers["allow"]).toBe("GET, HEAD, OPTIONS");
      expect(responses[0]!.headers["cache-control"]).toBe("no-store");
      expect(JSON.parse(responses[0]!.body).error.code).toBe("method_not_allowed");
    },
  );

  test.each([
    ["/v1/signals?coin=btx", "unknown_coin", '"btc"'],
    ["/v1/signals?coin=BTC", "unknown_coin", 'ask for "btc"'],
    ["/v1/buy-hold", "missing_parameter", '"coin"'],
    ["/v1/dca?coin=btc&amount=0", "invalid_parameter", 'got "0"'],
    ["/v1/dca?coin=btc&start_date=1999-01-01", "start_date_out_of_range", "2020-01-01 to 2022-06-18"],
    ["/v1/dca?coin=btc&coin=btc", "invalid_parameter", "more than once"],
    ["/v1/strategies?page=2", "invalid_parameter", 'unknown parameter "page"'],
    ["/v1/signals?coin=%zz", "invalid_parameter", "percent-encoded"],
  ])("of parameters: %s is 400 %s", async (path, code, part) => {
    const before = await usedBy(server, key);
    const response = await server.get(path, key);
    expect(response.status).toBe(400);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("ratelimit")).not.toBeNull();
    const error = await errorOf(response);
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
    expect(error.docs_url).toBe(`${server.origin}/docs/errors#${code}`);
    expect(await usedBy(server, key), "not charged").toBe(before);
  });

  test("of framing end the connection with the error shape", async () => {
    const twice = raw("GET /v1/strategies", ["Host: again.example"]);
    const { responses, closed } = await sendRaw(server.http.port, twice, { responses: 0 });
    expect(responses[0]!.status).toBe(400);
    expect(schemaFaults("/signals", 400, JSON.parse(responses[0]!.body))).toEqual([]);
    expect(closed).toBe(true);
  });
});

describe("a request's id", () => {
  test("is echoed, or replaced when it is not one", async () => {
    const idOf = async (headers: string[]) => {
      const { responses } = await sendRaw(server.http.port, raw("GET /v1/nothing", headers));
      return responses[0]!.headers["x-request-id"]!;
    };
    expect(await idOf(["X-Request-Id: my-id_1"])).toBe("my-id_1");
    for (const sent of ["", "a b", "x".repeat(65), "a;b", "\u00e9"]) {
      const id = await idOf([`X-Request-Id: ${sent}`]);
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(id).not.toBe(sent);
    }
    const two = await idOf(["X-Request-Id: a", "X-Request-Id: b"]);
    expect(["a", "b"]).not.toContain(two);
  });
});

describe("pages of other origins", () => {
  test("get nothing by default", async () => {
    const answer = await server.get("/v1/strategies", key, { origin: "https://app.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await fetch(`${server.origin}/v1/strategies`, {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(preflight.headers.get("access-control-allow-methods")).toBeNull();
  });

  test("may read where the operator says so, errors included", async () => {
    await withServer({ corsOrigins: ["https://app.example"] }, async (own) => {
      const ownKey = await own.key();
      for (const path of ["/v1/strategies", "/v1/dca", "/v1/nothing", "/healthz"]) {
        const answer = await own.get(path, ownKey, { origin: "https://app.example" });
        expect(answer.headers.get("access-control-allow-origin"), path).toBe("https://app.example");
        expect(answer.headers.get("vary"), path).toContain("Origin");
        expect(answer.headers.get("access-control-expose-headers")).toContain("RateLimit");
        const other = await own.get(path, ownKey, { origin: "https://evil.example" });
        expect(other.headers.get("access-control-allow-origin"), path).toBeNull();
        expect(other.headers.get("vary"), path).toContain("Origin");
      }
      const preflight = await fetch(`${own.origin}/v1/strategies`, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-method": "GET" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
      expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    });
  });

  test("of a path that is not there is 404", async () => {
    const response = await fetch(`${server.origin}/v1/nothing`, { method: "OPTIONS" });
    expect(response.status).toBe(404);
  });
});

describe("the service", () => {
  test("is up, and ready once it has a snapshot", async () => {
    await withServer({ snapshot: null }, async (own) => {
      const ownKey = await own.key();
      const health = await own.get("/healthz", undefined);
      expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
      for (const [path, withKey] of [["/readyz", undefined], ["/v1/strategies", ownKey]] as const) {
        const response = await own.get(path, withKey);
        expect(response.status).toBe(503);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
        expect((await errorOf(response)).code).toBe("unavailable");
      }
      expect((await own.get("/v1/strategies", "bad")).status, "the key comes first").toBe(401);
      expect(await usedBy(own, ownKey)).toBe(0);
      own.service.answers = new SnapshotAnswers(marketSnapshot(), ENDPOINTS);
      const ready = await own.get("/readyz", undefined);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: "ready", snapshot: marketSnapshot().id },
      ]);
      expect((await own.get("/v1/strategies", ownKey)).status).toBe(200);
    });
  });

  test("answers from the new snapshot once it is switched, with another tag", async () => {
    await withServer({}, async (own) => {
      const ownKey = await own.key();
      const before = await own.get("/v1/buy-hold?coin=btc", ownKey);
      own.service.answers = new SnapshotAnswers(marketSnapshot("next"), ENDPOINTS);
      const tag = before.headers.get("etag")!;
      const after = await own.get("/v1/buy-hold?coin=btc", ownKey, { "if-none-match": tag });
      expect(after.status).toBe(200);
      const body: Json = await after.json();
      expect(body.data.attribution.snapshot).toBe("next");
    });
  });

  test("that is draining answers 503 and ends connections, but says it is alive", async () => {
    await withServer({}, async (own) => {
      const ownKey = await own.key();
      own.service.draining = true;
      const sent = `GET /v1/strategies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ownKey}\r\n\r\n`;
      const { responses, closed } = await sendRaw(own.http.port, sent);
      expect(responses[0]!.status).toBe(503);
      expect(responses[0]!.headers["retry-after"]).toBe("5");
      expect(closed).toBe(true);
      expect((await own.get("/readyz", undefined)).status).toBe(503);
      expect((await own.get("/healthz", undefined)).status).toBe(200);
    });
  });

  test("answers pipelined requests that cost nothing in their order", async () => {
    const paths = ["/healthz", "/v1/nothing", "/v1/dca", "/readyz"];
    const sent = paths.map((path) => raw(`GET ${path}`)).join("");
    const { responses } = await sendRaw(server.http.port, sent, { responses: 4 });
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 200]);
  });

  test("answers one after the other on a connection", async () => {
    const sent = QUERIES.map((query) => raw(`GET /v1${query}`));
    const { responses } = await sendRaw(server.http.port, sent, { responses: QUERIES.length });
    expect(responses.map(({ status }) => status)).toEqual(QUERIES.map(() => 200));
  });
});

describe("a store", () => {
  /** The embedded store, but every answer takes a turn: what Redis will be like. */
  const slowly = (accounts: Accounts): Accounts => ({
    authenticate: async (sent, now) => accounts.authenticate(sent, now),
    admit: async (caller, now) => accounts.admit(caller, now),
    quota: async (caller, now) => accounts.quota(caller, now),
    charge: (caller, units, now, endpoint) => accounts.charge(caller, units, now, endpoint),
    chargeLater: (request) => accounts.chargeLater(request),
    close: () => accounts.close(),
  });

  test("may take its time", async () => {
    await withServer({ wrap: slowly }, async (own) => {
      const ownKey = await own.key("three");
      const statuses = [];
      for (const path of ["/v1/strategies", "/v1/signals?coin=btc", "/v1/dca", "/v1/dca?coin=btc", "/v1/signals"]) {
        statuses.push((await own.get(path, ownKey)).status);
      }
      expect(statuses).toEqual([200, 200, 400, 200, 429]);
      expect((await own.get("/v1/signals", "bad")).status).toBe(401);
      const tag = `W/"${marketSnapshot().id}/strategies"`;
      expect((await own.get("/v1/strategies", ownKey, { "if-none-match": tag })).status).toBe(304);
    });
  });

  test.each(["authenticate", "admit", "charge"] as const)(
    "that is out of reach (%s) is 503 with a time to come back",
    async (step) => {
      const gone = () => {
        throw new AccountsUnavailable("gone");
      };
      const broken = (accounts: Accounts): Accounts => ({
        authenticate: step === "authenticate" ? gone : (...given) => accounts.authenticate(...given),
        admit: step === "admit" ? () => Promise.reject(new AccountsUnavailable("gone")) : (...given) => accounts.admit(...given),
        quota: gone,
        charge: (...given) => accounts.charge(...given),
        chargeLater: (request) => {
          request.settle(new AccountsUnavailable("gone"));
        },
        close: () => accounts.close(),
      });
      await withServer({ wrap: broken }, async (own) => {
        const ownKey = await own.key();
        const response = await own.get("/v1/strategies", ownKey);
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toBe("2");
        expect((await errorOf(response)).code).toBe("unavailable");
        const minute = response.headers.get("ratelimit");
        expect(minute).toBe(step === "charge" ? '"minute";r=999999;t=60' : null);
        expect(own.defects).toEqual([]);
        if (step !== "charge") return;
        const bad = await own.get("/v1/dca", ownKey);
        expect(bad.status, "an error that costs nothing needs no month").toBe(400);
        expect(bad.headers.get("ratelimit")).toBe('"minute";r=999998;t=60');
      });
    },
  );
});

describe("a defect", () => {
  const broken: Endpoint = {
    path: "/broken",
    operationId: "broken",
    summary: "",
    description: "",
    query: z.strictObject({}),
    data: z.strictObject({}),
    examples: {},
    resolve: () => ({}),
    answer: () => {
      throw new TypeError("secret detail");
    },
  };

  test("is 500 without a detail, logged with the id, and not charged", async () => {
    await withServer({ endpoints: [broken] }, async (own) => {
      const ownKey = await own.key();
      const response = await own.get("/v1/broken", ownKey, { "x-request-id": "find-me" });
      expect(response.status).toBe(500);
      expect(response.headers.get("x-request-id")).toBe("find-me");
      expect(response.headers.get("ratelimit")).not.toBeNull();
      const text = await response.text();
      expect(text).not.toContain("secret");
      expect(JSON.parse(text).error.code).toBe("internal_error");
      expect(own.defects.map(({ request, error }) => [request.id, (error as Error).message])).toEqual([
        ["find-me", "secret detail"],
      ]);
      expect(await usedBy(own, ownKey)).toBe(0);
    });
  });
});

describe("an endpoint with a body", () => {
  const taking: Endpoint = {
    path: "/taking",
    takesBody: true,
    operationId: "taking",
    summary: "",
    description: "",
    query: z.strictObject({}),
    data: z.strictObject({}),
    examples: {},
    resolve: () => ({}),
    answer: () => ({}),
  };

  test("checks method, key, size and type in this order", async () => {
    await withServer({ endpoints: [taking] }, async (own) => {
      const ownKey = await own.key();
      const post = async (length: number, type: string, withKey = ownKey, path = "/v1/taking") =>
        fetch(own.origin + path, {
          method: "POST",
          body: "x".repeat(length),
          headers: { authorization: `Bearer ${withKey}`, "content-type": type },
        });
      expect((await own.get("/v1/taking", ownKey)).headers.get("allow")).toBe("POST, OPTIONS");
      expect((await post(20_000, "text/plain", "bad")).status).toBe(401);
      expect((await post(17 * 1024, "text/plain")).status).toBe(413);
      expect((await post(16 * 1024, "text/plain")).status).toBe(415);
      expect((await post(16 * 1024, "application/json; charset=utf-8")).status).toBe(200);
      expect((await post(2, "application/jsonp")).status).toBe(415);
      expect((await post(17 * 1024, "application/json", ownKey, "/v1/nothing")).status).toBe(404);
    });
  });
});
