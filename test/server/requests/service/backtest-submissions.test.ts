import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dateOfDay } from "../../../../quant/calendar.ts";
import type { Json } from "../../../support/json.ts";
import { errorOf, ServerFixture, usedBy } from "../../../support/server-fixture.ts";
import { AS_OF, FIRST_DAY } from "../../../support/server-market.ts";

let server: ServerFixture;
let key: string;
beforeEach(async () => {
  server = await ServerFixture.start();
  key = await server.key("paid");
});
afterEach(() => server.close());

const BODY = { strategy: "ma_cross", start_date: dateOfDay(FIRST_DAY + 300) };

const submit = (body: unknown = BODY, headers: Record<string, string> = {}, withKey = key) =>
  server.post("/v1/backtests", withKey, body, headers);

/** The id of the job that was taken in. */
async function accepted(response: Response): Promise<number> {
  expect(response.status).toBe(200);
  return ((await response.json()) as Json).data.job_id;
}

describe("what POST /backtests is sent", () => {
  test.each([
    { starting_cash: 1 },
    { starting_cash: 1_000_000 },
    { variant: 13 },
    { start_date: dateOfDay(AS_OF) },
  ])("may be the last value that is allowed: %j", async (member) => {
    const id = await accepted(await submit({ ...BODY, ...member }));
    expect(server.wakeUps, "of the backtest process").toBe(1);
    const { data: job }: Json = await (await server.get(`/v1/backtests/${id}`, key)).json();
    expect(job.request).toMatchObject(member);
  });

  test("is checked by size and type before what it says, and the plan behind that", async () => {
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
    const id = await accepted(await submit(BODY, headers));
    expect(await accepted(await submit(BODY, headers))).toBe(id);
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
