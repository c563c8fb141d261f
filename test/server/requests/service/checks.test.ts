import { record } from "../../../../api/record.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ComputeEndpoint } from "../../../../server/routes/endpoint.ts";
import { sendRaw } from "../../../support/http-raw.ts";
import { errorOf, sharedServer, usedBy, withServer } from "../../../support/server-fixture.ts";
import { schemaFaults } from "../../../support/server-schema.ts";

const { server, key, raw } = await sharedServer();

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
    ["/v2/signals", 404],
    ["/v1//signals", 404],
    ["/v1/backtests/", 404],
    ["//v1/signals", 404],
    ["/V1/signals", 404],
    ["/v1/Signals", 404],
    ["/v1/signals%2F", 404],
    ["/v1/signals%00", 404],
    ["/v1/../v1/strategies", 404],
    ["/api/v1", 404],
    ["/api/signals", 404],
    ["/signals", 404],
    ["/v1/overfitting-indexes", 404],
    [`/v1/%62acktests/${"1".repeat(250)}`, 404], // too long to be decoded
    ["/v1/%73trategies", 200],
    ["/v1/strategies?", 200],
  ])("of the path %s: %d", async (path, status) => {
    const { responses } = await sendRaw(server.http.port, raw(`GET ${path}`));
    expect(responses[0]!.status).toBe(status);
    const { error } = JSON.parse(responses[0]!.body);
    expect(error?.code).toBe(status === 404 ? "not_found" : undefined);
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
    ["POST", "/v1/usage", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/backtests/1", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/backtests", "POST, OPTIONS"],
    ["HEAD", "/v1/usage", undefined],
  ])("of the method %s for %s: 405 with %s, or none", async (method, path, allowed) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(server.origin + path, { method, headers });
    expect(response.status).toBe(allowed === undefined ? 200 : 405);
    expect(response.headers.get("allow")).toBe(allowed ?? null);
  });

  test.each([
    ["GET /v1/overfitting", 405],
    ["HEAD /v1/backtests", 405],
    ["GET /v1/nothing", 404],
    ["GET /v1/strategies", 400],
    ["GET /healthz", 400],
  ])(
    "of a body that the method does not take, by its path first: %s is %d",
    async (line, status) => {
      const sent = raw(line).replace("\r\n\r\n", "\r\nContent-Length: 1\r\n\r\nx");
      const { responses, closed } = await sendRaw(server.http.port, sent, { responses: 0 });
      expect(responses.map((response) => response.status)).toEqual([status]);
      expect(responses[0]!.headers["allow"]).toBe(status === 405 ? "POST, OPTIONS" : undefined);
      expect(closed).toBe(true);
    },
  );

  test.each([
    ["/v1/signals?coin=btx", "unknown_coin", '"btc"'],
    ["/v1/buy-hold", "missing_parameter", '"coin"'],
    [
      "/v1/dca?coin=btc&start_date=1999-01-01",
      "start_date_out_of_range",
      "2020-01-01 to 2022-06-18",
    ],
    ["/v1/strategies?page=2", "invalid_parameter", 'unknown parameter "page"'],
    ["/v1/signals?coin=%zz", "invalid_parameter", "percent-encoded"],
    ["/v1/dataset?template=foo", "unknown_strategy", 'template "foo" is not'],
  ])("of parameters: %s is 400 %s", async (path, code, part) => {
    const before = usedBy(server, key);
    const response = await server.get(path, key);
    expect(response.status).toBe(400);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("ratelimit")).not.toBeNull();
    const error = await errorOf(response);
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
    expect(error.docs_url).toBe(`${server.origin}/docs/errors#${code}`);
    expect(usedBy(server, key), "not charged").toBe(before);
  });

  test("of framing end the connection with the error shape", async () => {
    const twice = raw("GET /v1/strategies", ["Content-Length: 0", "Content-Length: 0"]);
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

  test("may read if the operator allows it, errors included", async () => {
    await withServer({ corsOrigins: ["https://app.example"] }, async (own) => {
      const ownKey = await own.key();
      for (const path of ["/v1/strategies", "/v1/dca", "/v1/nothing", "/healthz"]) {
        const answer = await own.get(path, ownKey, { origin: "https://app.example" });
        expect(answer.headers.get("access-control-allow-origin"), `of ${path}`).toBe(
          "https://app.example",
        );
        expect(answer.headers.get("vary"), `of ${path}`).toContain("Origin");
        expect(answer.headers.get("access-control-expose-headers")).toContain("RateLimit");
        const other = await own.get(path, ownKey, { origin: "https://evil.example" });
        expect(other.headers.get("access-control-allow-origin"), `of ${path}`).toBeNull();
        expect(other.headers.get("vary"), `of ${path}`).toContain("Origin");
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

describe("an endpoint with a body", () => {
  const taking: ComputeEndpoint = {
    kind: "compute",
    path: "/taking",
    operationId: "taking",
    tag: "Market",
    summary: "",
    description: "",
    body: z.strictObject({}),
    data: record<object>()({}),
    examples: {},
    answer: () => ({}) as never,
  };

  test("checks method, key, size and type in this order", async () => {
    await withServer({ endpoints: [taking] }, async (own) => {
      const ownKey = await own.key();
      const post = async (length: number, type: string, withKey = ownKey, path = "/v1/taking") =>
        fetch(own.origin + path, {
          method: "POST",
          body: `{${" ".repeat(length - 2)}}`,
          headers: { authorization: `Bearer ${withKey}`, "content-type": type },
        });
      expect((await own.get("/v1/taking", ownKey)).headers.get("allow")).toBe("POST, OPTIONS");
      expect((await post(20_000, "text/plain", "bad")).status).toBe(401);
      expect((await post(16 * 1024 + 1, "text/plain")).status).toBe(413);
      expect((await post(16 * 1024, "text/plain")).status).toBe(415);
      expect((await post(16 * 1024, "application/json; charset=utf-8")).status).toBe(200);
      expect((await post(2, "Application/JSON ; charset=utf-8")).status).toBe(200);
      expect((await post(2, "application/jsonp")).status).toBe(415);
      expect((await post(16 * 1024 + 1, "application/json", ownKey, "/v1/nothing")).status).toBe(
        404,
      );
    });
  });

  test.each([
    ["gzip", 415],
    ["identity, br", 415],
    ["Identity", 200],
  ])("sent with Content-Encoding %s is %d", async (encoding, status) => {
    await withServer({ endpoints: [taking] }, async (own) => {
      const response = await fetch(`${own.origin}/v1/taking`, {
        method: "POST",
        body: "{}",
        headers: {
          authorization: `Bearer ${await own.key()}`,
          "content-type": "application/json",
          "content-encoding": encoding,
        },
      });
      expect(response.status).toBe(status);
    });
  });
});
