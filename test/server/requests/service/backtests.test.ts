import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rowOfDay } from "../../../../quant/bars.ts";
import { dateOfDay } from "../../../../quant/calendar.ts";
import { AccountsUnavailable } from "../../../../accounts/accounts.ts";
import type { Json } from "../../../support/json.ts";
import { errorOf, refusalOf, ServerFixture, usedBy } from "../../../support/server-fixture.ts";
import { AS_OF, FIRST_DAY, marketSnapshot } from "../../../support/server-market.ts";
import { schemaFaults } from "../../../support/server-schema.ts";
import { bearer } from "../../../support/bearer.ts";
import { charge } from "../../../support/charge.ts";

let server: ServerFixture;
let key: string;
beforeEach(async () => {
  server = await ServerFixture.start();
  key = await server.key("paid");
});
afterEach(() => server.close());

const START = dateOfDay(FIRST_DAY + 300);
const BODY = { strategy: "ma_cross", start_date: START };

const submit = (body: unknown = BODY, headers: Record<string, string> = {}, withKey = key) =>
  server.post("/v1/backtests", withKey, body, headers);

async function accepted(response: Response): Promise<Json> {
  expect(response.status).toBe(200);
  const body: Json = await response.json();
  expect(schemaFaults("/backtests", 200, body, "post")).toEqual([]);
  return body;
}

async function poll(id: number | string, withKey = key): Promise<Response> {
  return await server.get(`/v1/backtests/${id}`, withKey);
}

describe("POST /backtests", () => {
  test("takes cash to 10 significant digits, as it writes it", async () => {
    const { data } = await accepted(await submit({ ...BODY, starting_cash: 1234.567890123456 }));
    const { data: job }: Json = await (await poll(data.job_id)).json();
    expect(job.request.starting_cash).toBe(1234.56789);
    const claimed = server.jobs.claim(server.clock.nowMs(), [server.snapshot.id])!;
    expect(claimed.request).toMatchObject({ startingCashUsd: 1234.56789 });
  });

  test("takes a job in, charges its units and says where to ask for it", async () => {
    const { data, meta } = await accepted(await submit());
    expect(data).toMatchObject({ status: "queued" });
    expect(data.poll_url).toBe(`${server.origin}/v1/backtests/${data.job_id}`);
    expect(meta.quota).toEqual({ used: 10, limit: 100, remaining: 90 });
    expect(
      (await fetch(data.poll_url, { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(200);
  });

  test("runs no more at once than the plan allows", async () => {
    await accepted(await submit());
    await accepted(await submit());
    const third = await submit();
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusalOf(third)).toEqual([429, "concurrency_exceeded"]);
    server.runNext();
    await accepted(await submit());
    expect(usedBy(server, key)).toBe(30);
  });

  test("is 503 where the store cannot take it, and the same key works once it can", async () => {
    const headers = { "idempotency-key": "k1" };
    const full = new AccountsUnavailable("the state file cannot answer: disk is full");
    vi.spyOn(server.jobs, "submit").mockRejectedValueOnce(full);
    const response = await submit(BODY, headers);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusalOf(response)).toEqual([503, "unavailable"]);
    await accepted(await submit(BODY, headers));
    expect(usedBy(server, key)).toBe(10);
  });

  test("is refused when the month does not hold its units", async () => {
    const caller = server.accounts.knownCaller(bearer(key), server.clock.nowMs())!;
    await charge(server.accounts, caller, 95, server.clock.nowMs());
    const response = await submit();
    expect(await refusalOf(response)).toEqual([429, "quota_exceeded"]);
    expect(usedBy(server, key)).toBe(95);
  });

  test("answers a repeat under one Idempotency-Key with the first job, once charged", async () => {
    const headers = { "idempotency-key": "k1" };
    const racing = await Promise.all(Array.from({ length: 10 }, () => submit(BODY, headers)));
    const bodies = await Promise.all(racing.map(accepted));
    expect(new Set(bodies.map(({ data }) => data.job_id)).size).toBe(1);
    expect(usedBy(server, key)).toBe(10);
    const same = await submit({ variant: 1, coin: "btc", ...BODY }, headers);
    expect((await accepted(same)).data.job_id).toBe(bodies[0].data.job_id);
    const other = await submit({ ...BODY, variant: 2 }, headers);
    expect(await refusalOf(other)).toEqual([400, "idempotency_key_reused"]);
  });

  test.each([
    [{}, "missing_parameter"],
    [{ strategy: "ma_cross" }, "missing_parameter"],
    [{ ...BODY, strategy: "ma_kross" }, "unknown_strategy"],
    [{ ...BODY, coin: "btcc" }, "unknown_coin"],
    [{ ...BODY, variant: 0 }, "invalid_parameter"],
    [{ ...BODY, variant: 14 }, "invalid_parameter"],
    [{ ...BODY, starting_cash: 0.99 }, "invalid_parameter"],
    [{ ...BODY, starting_cash: 1_000_000.01 }, "invalid_parameter"],
    [{ ...BODY, start_date: "2020-13-01" }, "invalid_parameter"],
    [{ ...BODY, start_date: dateOfDay(FIRST_DAY - 1) }, "start_date_out_of_range"],
    [{ ...BODY, start_date: dateOfDay(AS_OF + 1) }, "start_date_out_of_range"],
    [{ ...BODY, live: true }, "invalid_parameter"],
    [{ ...BODY, parameters: { ["__proto__"]: 1 } }, "invalid_parameter"],
  ])("refuses %j as %s", async (body, code) => {
    const response = await submit(body);
    expect(await refusalOf(response)).toEqual([400, code]);
    expect(usedBy(server, key)).toBe(0);
  });

  test.each([
    ["", "an empty one, or other characters"],
    ["x".repeat(256), "256 characters"],
    ["é", "other characters"],
    ["bücher", "other characters"],
  ])("refuses an Idempotency-Key that is no key: %j", async (sent, got) => {
    const response = await submit(BODY, { "idempotency-key": sent });
    const error = await errorOf(response);
    expect(error.code).toBe("invalid_parameter");
    expect(error.message).toMatch(
      new RegExp(`with 1 to 255 printable ASCII characters, got (an empty one, or )?${got}$`),
    );
  });
});

describe("what POST /backtests is sent", () => {
  test.each([
    { starting_cash: 1 },
    { starting_cash: 1_000_000 },
    { variant: 13 },
    { start_date: dateOfDay(AS_OF) },
  ])("may be the last value that is allowed: %j", async (member) => {
    const { data } = await accepted(await submit({ ...BODY, ...member }));
    expect(server.wakeUps, "of the backtest process").toBe(1);
    const { data: job }: Json = await (await poll(data.job_id)).json();
    expect(job.request).toMatchObject(member);
  });

  test("is checked by size and type before what it says, and the plan after that", async () => {
    const free = await server.key("roomy");
    const wrong = JSON.stringify({ coin: "nope" });
    const plain = { "content-type": "text/plain" };
    const large = await submit(wrong + " ".repeat(16 * 1024), plain, free);
    expect([large.status, (await errorOf(large)).code]).toEqual([413, "payload_too_large"]);
    const text = await submit(wrong, plain, free);
    expect([text.status, (await errorOf(text)).code]).toEqual([415, "unsupported_media_type"]);
    expect((await submit(wrong, {}, free)).status).toBe(400);
    const unpaid = await submit(BODY, {}, free);
    expect([unpaid.status, (await errorOf(unpaid)).code]).toEqual([403, "paid_plan_required"]);
  });

  test("has no query parameters", async () => {
    const response = await server.post("/v1/backtests?dry_run=1", key, BODY);
    const error = await errorOf(response);
    expect([response.status, error.code]).toEqual([400, "invalid_parameter"]);
    expect(error.message).toContain("dry_run");
    expect(usedBy(server, key)).toBe(0);
  });

  test.each(["x", "x".repeat(255)])("may have an Idempotency-Key of %j", async (sent) => {
    const headers = { "idempotency-key": sent };
    const { data } = await accepted(await submit(BODY, headers));
    expect((await accepted(await submit(BODY, headers))).data.job_id).toBe(data.job_id);
  });

  test("comes with a live key: a test key is 403, also of a paid plan", async () => {
    const { admin } = server.state;
    const { account } = await admin.createAccount({ email: "bob@example.com", plan: "paid" });
    const { key: testKey } = await admin.createKey(account.id, "test");
    const response = await submit(BODY, {}, testKey);
    const error = await errorOf(response);
    expect([response.status, error.code]).toEqual([403, "paid_plan_required"]);
    expect(error.message).toContain("use a live key");
    expect(server.jobs.counts()).toEqual({ queued: 0, running: 0 });
  });
});

describe("GET /backtests/{id}", () => {
  test("is free, and follows the job to its result", async () => {
    const { data: job } = await accepted(await submit({ ...BODY, starting_cash: 500 }));
    const waiting = await poll(job.job_id);
    expect(waiting.headers.get("retry-after")).toBe("1");
    const queued: Json = await waiting.json();
    expect(schemaFaults("/backtests/{id}", 200, queued)).toEqual([]);
    expect(queued.data).toMatchObject({ status: "queued", result: null, error: null });
    expect(queued.data.request).toEqual({
      strategy: "ma_cross",
      coin: "btc",
      start_date: START,
      starting_cash: 500,
      variant: 1,
    });
    server.runNext();
    const over = await poll(job.job_id);
    expect(over.headers.get("retry-after")).toBeNull();
    const done: Json = await over.json();
    expect(schemaFaults("/backtests/{id}", 200, done)).toEqual([]);
    expect(done.data.status).toBe("done");
    expect(done.data.result.equity_curve).toHaveLength(600);
    expect(usedBy(server, key)).toBe(10);
  });

  test.each([
    ["the coin's first day", FIRST_DAY],
    ["its last", AS_OF],
  ])("has a result from %s on", async (_, startDay) => {
    const { data: job } = await accepted(
      await submit({ ...BODY, start_date: dateOfDay(startDay) }),
    );
    server.runNext();
    const body: Json = await (await poll(job.job_id)).json();
    expect(schemaFaults("/backtests/{id}", 200, body)).toEqual([]);
    expect(body.data.result.days).toBe(AS_OF - startDay + 1);
    const row = rowOfDay(marketSnapshot().bars("btc")!, startDay);
    expect(body.data.result.assumptions.warm_up_days).toBe(row);
  });

  test("is the same compressed", async () => {
    const { data: job } = await accepted(await submit());
    server.runNext();
    // `fetch` asks for gzip and decodes it by itself.
    const compressed = await poll(job.job_id);
    expect(compressed.headers.get("content-encoding")).toBe("gzip");
    const plain = await server.get(`/v1/backtests/${job.job_id}`, key, {
      "accept-encoding": "identity",
    });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await compressed.text()).toBe(await plain.text());
  });

  test("says why a job failed", async () => {
    const { data: job } = await accepted(await submit());
    server.runNext({ ok: false, error: { code: "timed_out", message: "too long" } });
    const body: Json = await (await poll(job.job_id)).json();
    expect(schemaFaults("/backtests/{id}", 200, body)).toEqual([]);
    expect(body.data).toMatchObject({
      status: "error",
      result: null,
      error: { code: "timed_out" },
    });
    expect(body.meta.quota.used, "given back").toBe(0);
  });

  test("does not tell another's job, no job and no id apart", async () => {
    const { data: job } = await accepted(await submit());
    const other = await server.key("paid", "bob@example.com");
    const tooLong = ["9007199254740993", "99999999999999999999"];
    const ids = [job.job_id, job.job_id + 1, "abc", "-1", "1.5", ...tooLong];
    const answers = await Promise.all(ids.map((id) => poll(id, other)));
    const errors = await Promise.all(answers.map(errorOf));
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(404);
      const message = `this account has no backtest with the id "${ids[index]}"`;
      expect(errors[index]).toEqual({ ...errors[0], message });
      expect([...answer.headers.keys()]).toEqual([...answers[0]!.headers.keys()]);
    }
    expect(errors[0]?.code).toBe("job_not_found");
  });
});
