import { afterEach, describe, expect, test } from "vitest";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { CheckOutcome } from "../../../../server/checks/check-task.ts";
import { STREAMED_BODY_MAX_BYTES } from "../../../../server/http/request.ts";
import { HeldChecks } from "../../../support/held-checks.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";
import { bearer, errorOf, ServerFixture, usedBy } from "../../../support/server-fixture.ts";
import { until } from "../../../support/until.ts";

const REPORT: CheckOutcome = { kind: "report", json: '{"verdict":{"value":"luck"}}' };
const CSV = "date,a\n2024-01-01,0.01\n";

let server: ServerFixture;
afterEach(() => server.close());

async function started(runCheck: () => Promise<CheckOutcome>): Promise<ServerFixture> {
  server = await ServerFixture.start({ runCheck });
  return server;
}

async function held(): Promise<HeldChecks> {
  const checks = new HeldChecks();
  server = await ServerFixture.start({ runCheck: checks.run });
  return checks;
}

function post(key: string, query = "", body: string | Buffer<ArrayBuffer> = CSV, headers = {}) {
  return fetch(`${server.origin}/v1/check${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
}

describe("a check", () => {
  test("is answered with its attribution, and costs the plan's units", async () => {
    await started(async () => REPORT);
    const key = await server.key("three");
    const response = await post(key);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { data, meta } = (await response.json()) as { data: object; meta: { quota: object } };
    expect(Object.keys(data)).toEqual(["attribution", "verdict"]);
    expect(meta.quota).toEqual({ used: 1, limit: 3, remaining: 2 });
    const usage = (await (await server.get("/v1/usage", key)).json()) as {
      data: { calls: object };
    };
    expect(usage.data.calls).toMatchObject([{ endpoint: "/check", calls: 1, units: 1 }]);
  });

  test("may be made with a free plan and a test key", async () => {
    await started(async () => REPORT);
    const { key, account } = await server.accountsFixture.account("free", "free@example.com");
    const { key: testKey } = await server.state.admin.createKey(account.id, "test");
    expect((await post(key)).status).toBe(200);
    expect((await post(testKey)).status).toBe(200);
  });

  test.each([
    [{ kind: "refused", message: "line 2: no" }, 400, "file_refused", "line 2: no"],
    [
      {
        kind: "more_needed",
        isLive: false,
        questions: [
          { option: "startingCapital", text: "with how much money?", choices: [] },
          {
            option: "leaveOut",
            text: "which are no variants?",
            choices: [
              { value: "cash", text: "" },
              { value: "rsi 14", text: "" },
            ],
          },
        ],
      },
      400,
      "more_needed",
      'with how much money? (parameter "starting_capital") which are no variants? ("leave_out=cash" or "leave_out=rsi 14")',
    ],
    [
      { kind: "too_large", message: "9 variants" },
      413,
      "payload_too_large",
      "hindsight check FILE --n-trials 500 --coin btc --selected 'it'\\''s 1'",
    ],
    [{ kind: "out_of_memory" }, 413, "payload_too_large", "hindsight check FILE --n-trials 500"],
    [{ kind: "slow_to_read", seconds: 10 }, 413, "payload_too_large", "more than 10 s to read"],
    [{ kind: "timed_out", seconds: 60 }, 503, "unavailable", "not over within 60 s"],
    [{ kind: "lost" }, 503, "unavailable", "was ended"],
    [{ kind: "failed", name: "TypeError", frames: "    at x" }, 500, "internal_error", ""],
  ] as const)("that is answered %o is free, and its place is free again", async (...row) => {
    const [outcome, status, code, message] = row;
    await started(async () => outcome);
    const key = await server.key();
    for (let round = 0; round < 4; round++) {
      const response = await post(key, "?n_trials=500&coin=btc&selected=it%27s+1");
      expect(response.status).toBe(status);
      expect(response.headers.has("retry-after")).toBe(status === 503);
      const error = await errorOf(response);
      expect(error.code).toBe(code);
      expect(error.message).toContain(message);
    }
    expect(usedBy(server, key)).toBe(0);
    expect(server.defects).toHaveLength(status === 500 ? 4 : 0);
  });

  test("counts for the rate limit, whatever becomes of it", async () => {
    await started(async () => ({ kind: "refused", message: "no" }));
    const key = await server.key("slow");
    expect((await post(key)).status).toBe(400);
    expect((await post(key, "?n_trials=0")).status).toBe(400);
    expect((await errorOf(await post(key))).code).toBe("rate_limited");
  });

  test.each([
    ["?n_trials=0", 'parameter "n_trials" must be a whole number from 1 to'],
    ["?trials=3", 'unknown parameter "trials"; allowed: "n_trials", "starts", "coin"'],
    ["?timezone=Berlin", 'must be the name of a time zone such as "Europe/Berlin", got "Berlin"'],
    ["?format=excel", 'parameter "format" must be "returns" or "equity" or'],
    ["?risk_free=4", "must be a fraction above -1"],
    ["?starting_capital=0", "must be a number above 0"],
    ["?coin=bitcoin", 'nearest: "btc"'],
  ])("with %s is refused before it is begun", async (query, message) => {
    const checks = await held();
    const response = await post(await server.key(), query);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain(message);
    expect(checks.begun).toEqual([]);
  });

  test("of a compressed body is refused", async () => {
    await held();
    const response = await post(await server.key(), "", CSV, { "content-encoding": "gzip" });
    expect((await errorOf(response)).code).toBe("unsupported_media_type");
  });
});

describe("the quota", () => {
  test("is looked at before the work", async () => {
    const checks = await held();
    const key = await server.key("three");
    for (let call = 0; call < 3; call++) await server.get("/v1/strategies", key);
    const response = await post(key);
    expect([response.status, (await errorOf(response)).code]).toEqual([429, "quota_exceeded"]);
    expect(checks.begun).toEqual([]);
  });

  test("decides after it: what other calls used meanwhile is not given twice", async () => {
    const checks = await held();
    const key = await server.key("three");
    const answer = post(key);
    await until(() => checks.begun.length === 1);
    for (let call = 0; call < 3; call++) await server.get("/v1/strategies", key);
    checks.begun[0]!.end(REPORT);
    expect((await errorOf(await answer)).code).toBe("quota_exceeded");
    expect(usedBy(server, key)).toBe(3);
  });

  test("of three is charged three times by twenty checks that race", async () => {
    await started(async () => REPORT);
    const key = await server.key("three");
    const insisted = async (): Promise<number> => {
      const { status } = await post(key);
      return status === 503 ? insisted() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, insisted));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    expect(usedBy(server, key)).toBe(3);
  });
});

describe("the file", () => {
  const big = Buffer.alloc(3_000_000, "0123456789").toString();

  test.each([
    ["in one piece", [big]],
    ["in many", Array.from({ length: 30 }, (_, at) => big.slice(at * 100_000, (at + 1) * 100_000))],
  ])("comes as it was sent, %s", async (_, pieces) => {
    const checks = await held();
    const key = await server.key();
    const lines = [bearer(key), `Content-Length: ${big.length}`];
    const result = sendRaw(server.http.port, [requestText("POST /v1/check", lines), ...pieces]);
    await until(() => checks.begun.length === 1);
    expect(checks.begun[0]!.text).toBe(big);
    checks.begun[0]!.end(REPORT);
    expect((await result).responses[0]?.status).toBe(200);
  });

  test("may come in chunks, which end the connection", async () => {
    const checks = await held();
    const lines = [bearer(await server.key()), "Transfer-Encoding: chunked"];
    const sent = [requestText("POST /v1/check", lines), "5\r\ndate,\r\n", "2\r\na\n\r\n0\r\n\r\n"];
    const result = sendRaw(server.http.port, sent);
    await until(() => checks.begun.length === 1);
    expect(checks.begun[0]!.text).toBe("date,a\n");
    checks.begun[0]!.end(REPORT);
    const { responses, closed } = await result;
    expect([responses[0]?.status, closed]).toEqual([200, true]);
  });

  test("of more than 16 MiB is refused before it comes, and names the command", async () => {
    const checks = await held();
    const length = `Content-Length: ${STREAMED_BODY_MAX_BYTES + 1}`;
    const lines = [bearer(await server.key()), length];
    const { responses, closed } = await sendRaw(
      server.http.port,
      requestText("POST /v1/check?coin=btc", lines),
    );
    expect([responses[0]?.status, closed]).toEqual([413, true]);
    expect(responses[0]?.body).toContain("hindsight check FILE");
    expect(checks.begun).toEqual([]);
  });

  test("of more than 16 MiB in chunks is refused once it is too long", async () => {
    await held();
    const lines = [bearer(await server.key()), "Transfer-Encoding: chunked"];
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    const head = requestText("POST /v1/check", lines);
    const { responses } = await sendRaw(server.http.port, [
      head,
      ...Array.from({ length: 17 }, () => chunk),
    ]);
    expect(responses[0]?.status).toBe(413);
  });

  test("that is refused early is dropped, and the connection goes on", async () => {
    await held();
    const key = await server.key();
    const lines = [`Content-Length: ${big.length}`];
    const pieces = [requestText("POST /v1/check", lines), big];
    const after = requestText("GET /v1/strategies", [bearer(key)]);
    const { responses } = await sendRaw(server.http.port, [...pieces, after], { responses: 2 });
    expect(responses.map(({ status }) => status)).toEqual([401, 200]);
  });

  test("may come slowly", async () => {
    const checks = await held();
    const key = await server.key();
    const lines = [bearer(key), "Content-Length: 60"];
    const socket = connect(server.http.port, "127.0.0.1");
    socket.write(requestText("POST /v1/check", lines));
    for (let piece = 0; piece < 6; piece++) {
      await sleep(100);
      socket.write("0123456789");
    }
    await until(() => checks.begun.length === 1);
    expect(checks.begun[0]!.text).toHaveLength(60);
    socket.destroy();
  });
});
