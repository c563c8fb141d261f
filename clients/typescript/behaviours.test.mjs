/** The rules of clients/behaviours.md, by their numbers. The environment says where a server and a proxy are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as hindsight from "hindsight-backtests";

const { SERVER, PROXY } = process.env;
const KEYS = JSON.parse(process.env.KEYS);
const RUN = { strategy: "donchian_breakout", start_date: "2021-01-01" };

/** A client behind the proxy, and what it asked there. */
function client(answers = "", { key = "roomy", ...options } = {}) {
  const at = `${PROXY}/${crypto.randomUUID().replaceAll("-", "")}`;
  const hs = new hindsight.Hindsight({
    key: KEYS[key] ?? key,
    base: `${at}/${answers}/v1`,
    ...options,
  });
  return { hs, asked: async () => await (await fetch(at)).json() };
}

const data = (answer) =>
  `data:${Buffer.from(JSON.stringify({ data: answer })).toString("base64url")}`;

function returns(year, days = 400) {
  const rows = Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
    return `${date},${day % 3 ? 0.01 : -0.017}\n`;
  });
  return `date,returns\n${rows.join("")}`;
}

const fails = async (call, kind, more = {}) =>
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof hindsight[kind], `${kind}, not ${error.stack}`);
    for (const [name, value] of Object.entries(more)) assert.equal(error[name], value);
    return true;
  });

test("01", () => assert.throws(() => new hindsight.Hindsight({ base: `${SERVER}/v1` }), /`key`/));

test("02", async () => {
  const key = KEYS.roomy;
  for (const base of [SERVER, "localhost/v1", `${SERVER}/v1/x`])
    assert.throws(() => new hindsight.Hindsight({ key, base }), /\/v1/);
  const hs = new hindsight.Hindsight({ key, base: `${SERVER}/v1/` });
  assert.equal((await hs.get("/usage")).plan.name, "roomy");
});

test("03", async () => {
  assert.equal(Object.keys(await client().hs.get("/dca", { coin: "btc" }))[0], "attribution");
});

test("05", async () => {
  const { hs, asked } = client();
  await hs.get("/history", {
    coin: "btc,eth",
    columns: ["close", "rsi_14"],
    step: "month",
    to: undefined,
  });
  await fails(hs.check(returns(2022), { leave_out: ["a,b", "c"] }), "InvalidRequest");
  const [first, second] = await asked();
  assert.equal(first.path, "/v1/history?coin=btc%2Ceth&columns=close%2Crsi_14&step=month");
  assert.equal(second.path, "/v1/check?leave_out=a%2Cb&leave_out=c");
});

test("06", async () => {
  assert.deepEqual(await client(data({ later: 1 })).hs.get("/usage"), { later: 1 });
});

test("07", async () => {
  const error = await client()
    .hs.get("/signals", { coin: "btx" })
    .catch((refused) => refused);
  assert.ok(error instanceof hindsight.InvalidRequest);
  assert.deepEqual([error.status, error.code], [400, "unknown_coin"]);
  assert.match(
    `${error.message} ${error.docsUrl} ${error.requestId}`,
    /"btc".* http\S+#unknown_coin \S+/,
  );
});

test("08", async () => {
  const { hs } = client("", { key: "hs_live_wrong" });
  await fails(hs.get("/usage"), "Unauthorized", { code: "invalid_api_key" });
  await fails(client().hs.job("/backtests", RUN), "Unauthorized", { code: "paid_plan_required" });
});

test("09", async () => {
  const { hs, asked } = client("", { key: "spent", maxWait: 1 });
  const error = await hs.get("/dca", { coin: "btc" }).catch((refused) => refused);
  assert.ok(error instanceof hindsight.QuotaExceeded && error.retryAfter > 86_400);
  assert.match(error.message, /again in \d+ seconds/);
  assert.equal((await asked()).length, 1);
});

for (const [number, status] of Object.entries({ 10: "429", 11: "503" }))
  test(number, async () => {
    const { hs, asked } = client(status);
    const began = performance.now();
    assert.ok((await hs.overfitting({ sharpe: 1.8, length_days: 730, n_trials: 100 })).verdict);
    assert.equal((await asked()).length, 2);
    assert.ok(performance.now() - began > 990);
  });

test("12", async () => {
  const { hs, asked } = client("503,503,503,503", { maxWait: 2 });
  await fails(hs.get("/usage"), "Unavailable");
  assert.equal((await asked()).length, 3);
});

for (const [number, status] of Object.entries({ 13: 502, 14: 200 }))
  test(number, async () => {
    const error = await client(`page${status}`)
      .hs.get("/usage")
      .catch((refused) => refused);
    assert.ok(error instanceof hindsight.HindsightError && error.status === status);
    assert.equal(error.message.match(/bad gateway/g).length, 16);
  });

for (const [number, answer, options] of [
  ["15", "half"],
  ["17", "silent", { timeout: 0.5 }],
])
  test(number, async () => {
    const { hs, asked } = client(answer, options);
    assert.ok((await hs.get("/dca", { coin: "btc" })).return_pct);
    assert.equal((await asked()).length, 2);
  });

test("16", async () => {
  const once = client("nothing,nothing");
  assert.ok(await once.hs.get("/usage"));
  assert.equal((await once.asked()).length, 3);
  const { hs, asked } = client("nothing,nothing,nothing,nothing", { maxWait: 3 });
  await fails(hs.get("/usage"), "Unavailable", { status: 0 });
  assert.equal((await asked()).length, 3);
});

test("18", async () => {
  const { hs, asked } = client("lost");
  await fails(hs.check(returns(2022)), "Unavailable", { status: 0 });
  assert.equal((await asked()).length, 1);
});

test("19", async () => {
  const { hs, asked } = client("lost", { key: "paid" });
  const id = await hs.start("/backtests", RUN);
  const [first, second] = await asked();
  assert.equal(first.headers["idempotency-key"], second.headers["idempotency-key"]);
  const { calls } = await hs.get("/usage");
  const counted = calls.filter(({ endpoint }) => endpoint.includes("backtest"));
  assert.equal(
    counted.reduce((sum, day) => sum + day.calls, 0),
    1,
  );
  await hs.result("/backtests", id);
});

test("20", async () => {
  const { hs } = client("", { key: "paid" });
  assert.notEqual((await hs.job("/backtests", RUN)).sharpe, null);
  const parameters = { fast: [5, 10], slow: [50] };
  const id = await hs.start("/studies", {
    strategy: "ma_cross",
    start_date: "2021-01-01",
    parameters,
  });
  assert.equal((await hs.result("/studies", id)).runs.length, 2);
  assert.equal((await hs.get("/studies/{id}", { id })).status, "done");
});

test("21", async () => {
  const error = { code: "timed_out", message: "too slow" };
  const { hs } = client(`${data({ job_id: 7 })},${data({ job_id: 7, status: "error", error })}`);
  await fails(hs.job("/backtests", RUN), "JobFailed", { message: "timed_out: too slow" });
});

for (const [number, cache] of Object.entries({ 22: true, 23: false }))
  test(number, async () => {
    const { hs, asked } = client("", { cache });
    const { used } = (await hs.get("/usage")).quota;
    const first = await hs.get("/buy-hold", { coin: "eth" });
    assert.deepEqual(await hs.get("/buy-hold", { coin: "eth" }), first);
    assert.equal((await hs.get("/usage")).quota.used, used + (cache ? 1 : 2));
    assert.equal("if-none-match" in (await asked())[2].headers, cache);
  });

test("24", async () => {
  const { hs, asked } = client();
  assert.ok((await hs.check(new Blob([returns(2022)]), { n_trials: 20 })).verdict.value);
  const bytes = new TextEncoder().encode(returns(2024));
  assert.ok((await hs.check(returns(2022), { live: bytes })).live);
  assert.match((await asked())[1].headers["content-type"], /^multipart\/form-data/);
  const rows = Array.from(
    { length: 30 },
    (_, day) => `2022-01-${String(day + 1).padStart(2, "0")},0.01,100\n`,
  );
  const error = await hs.check(`date,a,b\n${rows.join("")}`).catch((refused) => refused);
  assert.ok(error instanceof hindsight.MoreNeeded && error.questions[0].endsWith('")'));
});

test("25", async () => {
  const { hs, asked } = client();
  const link = await hs.table("prices", { hours: 2 });
  assert.ok(link.startsWith(`${SERVER}/v1/snapshots/`));
  assert.match((await asked())[0].path, /hours=2/);
  const answer = await fetch(link);
  const parquet = await answer.arrayBuffer();
  const digest = Buffer.from(await crypto.subtle.digest("SHA-256", parquet)).toString("hex");
  assert.equal(answer.headers.get("etag"), `"${digest}"`);
  await assert.rejects(hs.table("tables"), /"tables"; there are: .*indicators/);
});
