import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsUnavailable, type Accounts } from "../../../accounts/accounts.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { serveMetrics, type MetricsServer } from "../../../server/metrics/metrics-server.ts";
import { ProcessMetrics } from "../../../server/metrics/process-metrics.ts";
import { ServerMetrics } from "../../../server/metrics/server-metrics.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { describedMetrics, parseMetrics } from "../../support/scrape.ts";
import { changedAccounts, ServerFixture } from "../../support/server-fixture.ts";
import { FIRST_DAY } from "../../support/server-market.ts";

let clock: FakeClock;
let metrics: ServerMetrics;
let server: ServerFixture;
let scraped: MetricsServer;
/** How the store answers the next question. */
let storeFault: Error | undefined;
/** Whether the store does not answer at all. */
let storeSilent = false;

const faulty = (accounts: Accounts): Accounts =>
  changedAccounts(accounts, {
    knownCaller(...given) {
      if (storeFault !== undefined) throw storeFault;
      return accounts.knownCaller(...given);
    },
  });

beforeEach(async () => {
  storeFault = undefined;
  storeSilent = false;
  clock = new FakeClock();
  const ping = () => {
    clock.steadyMs += 2;
    if (storeSilent) return new Promise(() => {});
    if (storeFault !== undefined) throw storeFault;
    return undefined;
  };
  metrics = new ServerMetrics({
    clock,
    version: "9.9.9",
    store: { kind: "embedded", file: undefined, ping },
    jobs: () => {
      if (storeFault !== undefined) throw storeFault;
      if (storeSilent) return new Promise(() => {});
      return server.jobs.counts();
    },
    inFlight: () => server.http.inFlight(),
    backtestsReady: () => undefined,
    connections: () => server.http.connections(),
  });
  server = await ServerFixture.start({
    wrap: faulty,
    meterOf: (routes) => metrics.meterOf(routes),
  });
  const fail = (error: object) => {
    throw error as Error;
  };
  const log = { error: fail, warn: fail };
  const port = { host: "127.0.0.1", port: 0, required: true };
  scraped = (await serveMetrics(port, log, () => metrics.registry.text()))!; // or it fails
});
afterEach(async () => {
  scraped.close();
  await server.close();
});

async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(scraped.url);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  describedMetrics(text);
  return parseMetrics(text);
}

describe("a server's metrics", () => {
  test("count requests by route and status, over both bases, and errors by code", async () => {
    const key = await server.key("three");
    for (const path of ["/v1/dca?coin=btc", "/api/v1/dca?coin=eth", "/v1/dca?coin=nope"]) {
      await server.get(path, key);
    }
    await server.get("/v1/strategies", key);
    await server.get("/v1/strategies", key);
    await server.get("/v1/strategies", undefined);
    await server.get("/v1/backtests/7", key);
    await server.get("/nowhere", undefined);
    const now = await scrape();
    const requests = (route: string, status: number) =>
      now.get(`hindsight_http_requests_total{route="${route}",status="${status}"}`);
    expect(requests("/dca", 200)).toBe(2);
    expect(requests("/dca", 400)).toBe(1);
    expect(requests("/strategies", 200)).toBe(1);
    expect(requests("/strategies", 429)).toBe(1);
    expect(requests("/strategies", 401)).toBe(1);
    expect(requests("/backtests/{id}", 404)).toBe(1);
    expect(requests("none", 404)).toBe(1);
    const refusals = (code: string) => now.get(`hindsight_refusals_total{code="${code}"}`);
    expect(refusals("unknown_coin")).toBe(1);
    expect(refusals("quota_exceeded")).toBe(1);
    expect(refusals("missing_api_key")).toBe(1);
    expect(refusals("job_not_found")).toBe(1);
    expect(refusals("not_found")).toBe(1);
    expect(refusals("rate_limited")).toBe(0);
    expect(now.get('hindsight_charged_calls_total{route="/dca"}')).toBe(2);
    expect(now.get('hindsight_charged_units_total{route="/strategies"}')).toBe(1);
    expect(now.get("hindsight_http_requests_in_flight")).toBe(0);
    expect(now.get("hindsight_http_connections")).toBeGreaterThanOrEqual(1);
  });

  test("count a backtest's units once, and not for its repeat", async () => {
    const key = await server.key("paid");
    const body = { strategy: "ma_cross", start_date: dateOfDay(FIRST_DAY + 300) };
    for (let sent = 0; sent < 2; sent++) {
      const response = await server.post("/v1/backtests", key, body, { "idempotency-key": "once" });
      expect(response.status).toBe(200);
    }
    const now = await scrape();
    expect(now.get('hindsight_charged_units_total{route="/backtests"}')).toBe(10);
    expect(now.get('hindsight_charged_calls_total{route="/backtests"}')).toBe(1);
    expect(now.get('hindsight_jobs{state="queued"}')).toBe(1);
    expect(now.get('hindsight_jobs{state="running"}')).toBe(0);
  });

  test("have a histogram of answers by route, from the request read whole", async () => {
    const key = await server.key();
    await server.get("/v1/strategies", key);
    const name = "hindsight_http_request_duration_seconds";
    const now = await scrape();
    expect(now.get(`${name}_count{route="/strategies"}`)).toBe(1);
    expect(now.get(`${name}_bucket{le="0.00005",route="/strategies"}`)).toBe(1); // the clock does not move
    expect(now.get(`${name}_bucket{le="+Inf",route="/strategies"}`)).toBe(1);
    expect(
      [...now.keys()].some(
        (series) => series.includes('route="/dca"') && series.startsWith(`${name}_`),
      ),
    ).toBe(false);
  });

  test("say whether the store answers, and what it said when it did not", async () => {
    const key = await server.key();
    let now = await scrape();
    expect(now.get('hindsight_store_up{kind="embedded"}')).toBe(1);
    expect(now.get('hindsight_store_ping_seconds{kind="embedded"}')).toBeCloseTo(0.002, 9);
    const cause = Object.assign(new Error("busy"), { code: "SQLITE_BUSY" });
    for (const fault of [
      new AccountsUnavailable("the state file cannot answer", { cause }),
      new AccountsUnavailable("READONLY You can't write against a read only replica"),
      new AccountsUnavailable("Redis did not answer within 250 ms"),
      new AccountsUnavailable("gone"),
    ]) {
      storeFault = fault;
      expect((await server.get("/v1/strategies", key)).status).toBe(503);
    }
    now = await scrape();
    expect(now.get('hindsight_store_up{kind="embedded"}')).toBe(0);
    expect(now.has('hindsight_store_ping_seconds{kind="embedded"}')).toBe(false);
    expect(now.has('hindsight_jobs{state="queued"}'), "unknown").toBe(false);
    for (const reason of ["sqlite_busy", "readonly", "timeout", "other"]) {
      expect(now.get(`hindsight_store_failures_total{reason="${reason}"}`)).toBe(1);
      const at = now.get(`hindsight_store_last_failure_timestamp_seconds{reason="${reason}"}`);
      expect(at).toBe(clock.wallMs / 1000);
    }
    expect(now.get('hindsight_refusals_total{code="unavailable"}')).toBe(4);
  });

  test("come without what a store that hangs would have to tell", async () => {
    storeSilent = true;
    const now = await scrape();
    expect(now.get('hindsight_store_up{kind="embedded"}')).toBe(0);
    expect(now.has('hindsight_jobs{state="queued"}')).toBe(false);
    expect(now.get("hindsight_http_requests_in_flight")).toBe(0);
  });

  test("name the snapshot, its last day and its age", async () => {
    expect((await scrape()).get("hindsight_snapshot_loaded")).toBe(0);
    const createdAt = new Date(clock.wallMs - 90_000).toISOString();
    metrics.snapshots.switched({ id: "s1", asOf: 1, createdAt });
    metrics.snapshots.damaged();
    const now = await scrape();
    expect(now.get('hindsight_snapshot_loaded{snapshot="s1"}')).toBe(1);
    expect(now.get("hindsight_snapshot_as_of_timestamp_seconds")).toBe(2 * 86_400);
    expect(now.get("hindsight_snapshot_age_seconds")).toBe(90);
    expect(now.get("hindsight_snapshot_stale")).toBe(1);
    const asOf = Math.floor(clock.wallMs / 86_400_000) - 2;
    metrics.snapshots.switched({ id: "s1", asOf, createdAt });
    expect((await scrape()).get("hindsight_snapshot_stale")).toBe(0);
    expect(now.get("hindsight_snapshot_switches_total")).toBe(1);
    expect(now.get("hindsight_snapshot_damaged_total")).toBe(1);
  });

  test("follow a backtest from its wait to its end", async () => {
    const job = { id: 1, snapshotId: "s", attempt: 1, losses: 0, createdMs: clock.wallMs - 200 };
    const request = { strategy: "s", coin: "c", startDay: 1, startingCashUsd: 1, variant: 1 };
    const claimed = { ...job, kind: "backtest" as const, known: null, request };
    metrics.jobs.begun(claimed);
    expect((await scrape()).get("hindsight_jobs_running_here")).toBe(1);
    clock.steadyMs += 28; // includes the ping of the scrape
    metrics.jobs.ended(claimed, { ok: false, error: { code: "timed_out", message: "" } });
    const again = { ...claimed, attempt: 2 };
    metrics.jobs.begun(again);
    metrics.jobs.ended(again, "again");
    const now = await scrape();
    expect(now.get("hindsight_job_wait_duration_seconds_count")).toBe(1);
    expect(now.get("hindsight_job_wait_duration_seconds_sum")).toBeCloseTo(0.2, 9);
    expect(now.get("hindsight_job_run_duration_seconds_count")).toBe(2);
    expect(now.get("hindsight_job_run_duration_seconds_sum")).toBeCloseTo(0.03, 9);
    expect(now.get('hindsight_jobs_ended_total{outcome="timed_out"}')).toBe(1);
    expect(now.get('hindsight_jobs_ended_total{outcome="again"}')).toBe(1);
    expect(now.get('hindsight_jobs_ended_total{outcome="done"}')).toBe(0);
    expect(now.get("hindsight_jobs_running_here")).toBe(0);
  });

  test("come with those of the process", async () => {
    const now = await scrape();
    for (const series of [
      'hindsight_build_info{version="9.9.9"}',
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "nodejs_eventloop_lag_p99_seconds",
    ]) {
      expect(now.has(series), `has ${series}`).toBe(true);
    }
  });

  test("are named as Prometheus wants it", async () => {
    const types = describedMetrics(await (await fetch(scraped.url)).text());
    for (const [name, type] of types) {
      if (!name.startsWith("hindsight_")) continue;
      expect(name, "in lower case").toMatch(/^[a-z][a-z_]*$/);
      expect(name.endsWith("_total"), `of ${name}`).toBe(type === "counter");
      expect(/_(ms|millis|kb|mb|percent)(_|$)/.test(name), "in base units").toBe(false);
    }
  });
});

test("metrics of the backtest process are on the same page, under a label", async () => {
  const options = {
    clock,
    version: "9.9.9",
    store: { kind: "embedded", ping: () => {} },
    jobs: () => ({ queued: 0, running: 0 }),
  };
  const own = new ProcessMetrics(options);
  const beside = new ProcessMetrics({ ...options, process: "jobs" });
  own.snapshots.damaged();
  const text = await own.registry.text(await beside.registry.values());
  describedMetrics(text);
  const numbers = parseMetrics(text);
  expect(numbers.get("hindsight_snapshot_damaged_total")).toBe(1);
  expect(numbers.get('hindsight_snapshot_damaged_total{process="jobs"}')).toBe(0);
  expect(numbers.has('process_start_time_seconds{process="jobs"}')).toBe(true);
});
