import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openLog } from "../../../server/process/open-log.ts";
import { openServerMetrics, openWorkerMetrics } from "../../../server/metrics/open-metrics.ts";
import type { MetricsOptions, ServerOptions } from "../../../server/server-options.ts";
import { FakeClock } from "../../support/accounts-fixture.ts";
import { parseMetrics } from "../../support/scrape.ts";

const lines: string[] = [];
const around = {
  log: openLog({ level: "info", stream: { write: (text: string) => void lines.push(text) } }),
  clock: new FakeClock(),
};
const HOST = "127.0.0.1";
const sources = {
  ping: () => {},
  jobs: () => ({ queued: 3, running: 1 }),
  inFlight: () => 2,
  connections: () => 5,
};

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
  lines.length = 0;
});

async function serverMetrics(metrics: ServerOptions["metrics"]) {
  const state = "state/none.db";
  const rest = { host: HOST, port: 0, snapshots: "", corsOrigins: [], logLevel: "info" } as const;
  const ours = { ...rest, state, metrics, sharePort: false, version: "1.2.3" };
  const opened = await openServerMetrics(ours, around, sources);
  if (opened !== undefined) open.push(opened);
  return opened;
}

async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, HOST, resolve));
  open.push(other);
  return (other.address() as { port: number }).port;
}

async function scraped(url: string | undefined): Promise<Map<string, number>> {
  return parseMetrics(await (await fetch(url!)).text());
}

describe("the metrics of a server", () => {
  test("are read on the port it was given", async () => {
    const opened = await serverMetrics({ host: HOST, port: 0, required: true });
    const numbers = await scraped(opened!.url);
    expect(numbers.get("hindsight_http_requests_in_flight")).toBe(2);
    expect(numbers.get("hindsight_http_connections")).toBe(5);
    expect(numbers.get('hindsight_jobs{state="queued"}')).toBe(3);
    expect(numbers.get('hindsight_store_up{kind="embedded"}')).toBe(1);
  });

  test("are absent, or only read within the program, as the options say", async () => {
    expect(await serverMetrics(undefined)).toBeUndefined();
    const unserved = await serverMetrics("unserved");
    expect(unserved!.url).toBeUndefined();
    expect((await unserved!.values()).map(({ name }) => name)).toContain("hindsight_jobs");
  });

  test("do not stop it from starting if their port is taken but was not asked for", async () => {
    const port = await takenPort();
    const opened = await serverMetrics({ host: HOST, port, required: false });
    expect(opened!.url).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 40,
      reason: `cannot serve metrics on ${HOST}:${port}: EADDRINUSE`,
    });
  });

  test("keep it from starting where their port was", async () => {
    const port = await takenPort();
    const wanted: MetricsOptions = { host: HOST, port, required: true };
    await expect(serverMetrics(wanted)).rejects.toThrow("EADDRINUSE");
  });
});

test("the metrics of a worker are those without requests", async () => {
  const metrics = { host: HOST, port: 0, required: true };
  const { jobs } = sources;
  const state = "redis://127.0.0.1";
  const opened = await openWorkerMetrics({ ...around, metrics, version: "9.9.9", state, jobs });
  open.push(opened!);
  const numbers = await scraped(opened!.url);
  expect(numbers.get('hindsight_store_up{kind="redis"}')).toBe(1);
  expect(numbers.get('hindsight_jobs{state="running"}')).toBe(1);
  expect([...numbers.keys()].some((name) => name.startsWith("hindsight_http"))).toBe(false);
});
