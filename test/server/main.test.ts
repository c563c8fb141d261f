import { cpSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import type { RunningServer } from "../../server/main.ts";
import type { ServerOptions } from "../../server/server-options.ts";
import { startServer } from "../../server/main.ts";
import { openLog } from "../../server/process/open-log.ts";
import { listSnapshotIds, writeCurrent } from "../../snapshots/folder.ts";
import { openRedisAdmin } from "../../accounts/redis/redis-admin.ts";
import { RedisChild } from "../../scripts/faults/redis-child.ts";
import { freePort } from "../../scripts/support/free-port.ts";
import { accountIn } from "../support/account-in.ts";
import { DEMO_BOARD, publishDemo } from "../support/publish-demo.ts";
import { describeOnRedis } from "../support/redis-server.ts";
import { parseMetrics } from "../support/scrape.ts";
import { schemaFaults } from "../support/server-schema.ts";
import { until, untilAnswered } from "../support/until.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = temporaryFolder("main");
const snapshots = join(folder, "snapshots");
const state = join(folder, "state", "hindsight.db");
const ASKED_WHILE_SWITCHING = 200;
const SLOW_READERS = 8;

const publish = (asOf: string, instant: string) => publishDemo(snapshots, asOf, instant);

let key: string;
beforeAll(async () => {
  await publish("2024-06-01", "2024-06-02T00:10:00Z");
  key = await accountIn(state, "scale");
});

const OPTIONS: ServerOptions = {
  host: "127.0.0.1",
  port: 0,
  snapshots,
  state,
  corsOrigins: [],
  log: openLog({ level: "silent" }),
  sharePort: false,
  version: "1.2.3",
};

async function withServer(
  options: Partial<ServerOptions>,
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer({ ...OPTIONS, ...options });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

const ask = (server: RunningServer, path: string) =>
  fetch(server.origin + path, { headers: { authorization: `Bearer ${key}` } });

async function snapshotOf(server: RunningServer): Promise<string> {
  const answer = await fetch(`${server.origin}/readyz`);
  return ((await answer.json()) as { snapshot: string }).snapshot;
}

async function usedCalls(server: RunningServer): Promise<number> {
  const answer = await ask(server, "/v1/usage");
  return ((await answer.json()) as { data: { quota: { used: number } } }).data.quota.used;
}

describe("the server", () => {
  test("answers every endpoint from a published snapshot, as its document says", async () => {
    await withServer({}, async (server) => {
      for (const { ticker } of DEMO_BOARD) {
        for (const path of ["/signals", "/buy-hold", "/dca"]) {
          const answer = await ask(server, `/v1${path}?coin=${ticker}`);
          expect(answer.status, `${path} ${ticker}`).toBe(200);
          expect(schemaFaults(path, 200, await answer.json())).toEqual([]);
        }
      }
      for (const path of ["/signals", "/strategies"]) {
        const answer = await ask(server, `/api/v1${path}`);
        expect(schemaFaults(path, 200, await answer.json())).toEqual([]);
      }
    });
  });

  test("has links that begin with the address that clients reach", async () => {
    await withServer({ publicUrl: "https://api.example.com" }, async (server) => {
      const answer = await ask(server, "/v1/dca");
      const { error } = (await answer.json()) as { error: { docs_url: string } };
      expect(error.docs_url).toBe("https://api.example.com/docs/errors#missing_parameter");
      const document = (await (await fetch(`${server.origin}/openapi.json`)).json()) as {
        servers: { url: string }[];
      };
      expect(document.servers[0]!.url).toBe("https://api.example.com/v1");
    });
  });

  test("has metrics of its requests, connections, store, jobs and snapshot", async () => {
    await withServer({}, async (server) => {
      const numbers = async () => parseMetrics(await server.metrics());
      expect((await ask(server, "/v1/strategies")).status).toBe(200);
      const body = JSON.stringify({ strategy: "ma_cross", coin: "btc", start_date: "2022-01-01" });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      await fetch(`${server.origin}/v1/backtests`, { method: "POST", headers, body });
      const { hostname, port } = new URL(server.origin);
      const half = connect(Number(port), hostname);
      half.write("POST /v1/overfitting HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{");
      await until(async () => (await numbers()).get("hindsight_http_requests_in_flight") === 1);
      const now = await numbers();
      half.destroy();
      expect(now.get("hindsight_http_connections")).toBeGreaterThanOrEqual(2);
      const requests = 'hindsight_http_requests_total{route="/strategies",status="200"}';
      expect(now.get(requests)).toBe(1);
      expect(now.get('hindsight_charged_units_total{route="/backtests"}')).toBe(10);
      expect(now.get('hindsight_jobs{state="queued"}')).toBe(1);
      expect(now.get('hindsight_store_up{kind="embedded"}')).toBe(1);
      expect(now.get("hindsight_snapshot_switches_total")).toBe(1);
    });
  });

  test("lets pages of the origins it was given read its answers, and of no others", async () => {
    const origin = "https://app.example";
    await withServer({ corsOrigins: [origin] }, async (server) => {
      const allowed = async (from: string) => {
        const answer = await fetch(`${server.origin}/healthz`, { headers: { origin: from } });
        return answer.headers.get("access-control-allow-origin");
      };
      expect(await allowed(origin)).toBe(origin);
      expect(await allowed("https://other.example")).toBeNull();
    });
  });

  test("switches to a new snapshot under load and fails no request", async () => {
    await withServer({}, async (server) => {
      const before = await snapshotOf(server);
      const seen = new Set<string>();
      const statuses = new Set<number>();
      const asking = { goesOn: true };
      const load = async () => {
        for (let n = 0; n < ASKED_WHILE_SWITCHING || asking.goesOn; n++) {
          const answer = await fetch(`${server.origin}/readyz`);
          statuses.add(answer.status);
          seen.add(((await answer.json()) as { snapshot: string }).snapshot);
        }
      };
      const loads = [load(), load()];
      await publish("2024-06-02", "2024-06-03T00:10:00Z");
      await until(async () => (await snapshotOf(server)) !== before);
      asking.goesOn = false;
      await Promise.all(loads);
      expect([...statuses]).toEqual([200]);
      expect(seen.size).toBe(2);
      const answer = await ask(server, "/v1/buy-hold?coin=btc");
      const { data } = (await answer.json()) as { data: { as_of: string } };
      expect(data.as_of).toBe("2024-06-02");
    });
  });

  test("keeps the old snapshot when the new one is damaged", async () => {
    await withServer({}, async (server) => {
      const before = await snapshotOf(server);
      const copy = "2024-06-03T20240604T001000000Z-0123456789ab";
      cpSync(join(snapshots, before), join(snapshots, copy), { recursive: true });
      truncateSync(writable(join(snapshots, copy, "prices.arrow")), 1000);
      writeCurrent(snapshots, copy);
      await new Promise((resolve) => setTimeout(resolve, 300)); // time for it to go wrong
      expect(await snapshotOf(server)).toBe(before);
      expect((await ask(server, "/v1/signals?coin=btc")).status).toBe(200);
      rmSync(join(snapshots, copy), { recursive: true });
      writeCurrent(snapshots, before);
    });
  });

  test("starts without a snapshot, with a warning, and takes the first one that comes", async () => {
    const empty = join(folder, "none-yet");
    await withServer({ snapshots: empty }, async (server) => {
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
      const answer = await ask(server, "/v1/strategies");
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).not.toBeNull();
      cpSync(snapshots, empty, { recursive: true });
      await until(async () => (await fetch(`${server.origin}/readyz`)).ok);
      expect((await ask(server, "/v1/strategies")).status).toBe(200);
    });
  });

  test("answers what is in flight when it stops, and then takes nothing", async () => {
    const server = await startServer(OPTIONS);
    const inFlight = Array.from({ length: 20 }, () => ask(server, "/v1/signals"));
    const first = await Promise.race(inFlight);
    expect(first.status).toBe(200);
    const stopping = server.stop();
    const statuses = (await Promise.allSettled(inFlight)).map((each) =>
      each.status === "fulfilled" ? each.value.status : 0,
    );
    await stopping;
    for (const status of statuses) expect([0, 200, 503]).toContain(status);
    await expect(ask(server, "/v1/signals")).rejects.toThrow("fetch failed");
    await server.stop(); // a second call does nothing
  });

  test("gives a slow reader time for the rest of answers that were charged", async () => {
    const server = await startServer(OPTIONS);
    const { hostname, port } = new URL(server.origin);
    const before = await usedCalls(server);
    const request = `GET /v1/dataset HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const clients = Array.from({ length: SLOW_READERS }, () => {
      const client = connect(Number(port), hostname).pause();
      client.write(request);
      return client;
    });
    await untilAnswered(async () => (await usedCalls(server)) === before + SLOW_READERS);
    const stopping = server.stop();
    const texts = await Promise.all(clients.map(async (client) => text(client)));
    await stopping;
    for (const answer of texts) expect(answer, "a whole answer").toContain('"remaining":');
  });

  test("refuses a port in use and a bad plan file in plain words, and leaves nothing open", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const metrics = { host: "127.0.0.1", port: await freePort(), required: true };
    await expect(startServer({ ...OPTIONS, port, metrics })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: the port is in use`,
    );
    await expect(fetch(`http://127.0.0.1:${metrics.port}/metrics`)).rejects.toThrow("fetch failed");
    taken.close();
    const plans = join(folder, "plans.json");
    writeFileSync(plans, "{");
    await expect(startServer({ ...OPTIONS, plans })).rejects.toThrow("is not JSON");
  });
});

test("a second server on a state file is refused, with what to do", async () => {
  await withServer({}, async () => {
    await expect(startServer(OPTIONS)).rejects.toThrow(/belongs to another .*redis:/);
  });
});

describeOnRedis("a server with its state in Redis", () => {
  async function accountOf({ address }: RedisChild) {
    const admin = await openRedisAdmin({ address, plans: BUILT_IN_PLANS, nowMs: Date.now });
    const made = await admin.createAccount({ email: "ann@example.com", plan: "scale" });
    await admin.close();
    return made;
  }

  test("joins others on a port only when it has its snapshot", async () => {
    const redis = await RedisChild.start();
    const shared = { state: redis.address, sharePort: true, port: await freePort() };
    await withServer(shared, async (first) => {
      const statuses = new Set<number>();
      const asking = { goesOn: true };
      const load = async () => {
        const fresh = { connection: "close" }; // so that either of them may take each request
        while (asking.goesOn) {
          statuses.add((await fetch(`${first.origin}/readyz`, { headers: fresh })).status);
        }
      };
      const loads = [load(), load()];
      await withServer(shared, async () => {
        for (let n = 0; n < ASKED_WHILE_SWITCHING; n++) await ask(first, "/readyz");
        asking.goesOn = false;
        await Promise.all(loads);
      });
      expect([...statuses]).toEqual([200]);
    });
    await redis.remove();
  });

  test("charges calls, takes backtests in, reports on them, and says how Redis is", async () => {
    const redis = await RedisChild.start();
    const made = await accountOf(redis);
    await withServer({ state: redis.address }, async (server) => {
      const headers = { authorization: `Bearer ${made.key}`, "content-type": "application/json" };
      const body = JSON.stringify({ strategy: "ma_cross", coin: "btc", start_date: "2022-01-01" });
      const backtests = `${server.origin}/v1/backtests`;
      const answer = await fetch(backtests, { method: "POST", headers, body });
      const { data } = (await answer.json()) as { data: { job_id: number } };
      const found = await fetch(`${backtests}/${data.job_id}`, { headers });
      expect(await found.json()).toMatchObject({
        data: { status: "queued" },
        meta: { quota: { used: 10 } },
      });
      const numbers = parseMetrics(await server.metrics());
      expect(numbers.get('hindsight_store_up{kind="redis"}')).toBe(1);
      expect(numbers.get('hindsight_jobs{state="queued"}')).toBe(1);
    });
    await redis.remove();
  });

  test("charges a table once a server, however many ranges, and opens the links of the other", async () => {
    const redis = await RedisChild.start();
    const made = await accountOf(redis);
    const headers = { authorization: `Bearer ${made.key}` };
    await withServer({ state: redis.address }, async (one) => {
      await withServer({ state: redis.address }, async (other) => {
        const listed = await fetch(`${one.origin}/v1/snapshots`, { headers });
        const { data } = (await listed.json()) as { data: { files: { url: string }[] } };
        const { pathname, search } = new URL(data.files[0]!.url);
        const ranges = Array.from({ length: 20 }, (_, n) => ({ range: `bytes=${n}-${n + 99}` }));
        const read = async ({ origin }: RunningServer, range: object) =>
          (await fetch(origin + pathname + search, { headers: { ...range } })).status;
        const statuses = await Promise.all(
          ranges.flatMap((range) => [read(one, range), read(other, range)]),
        );
        expect(new Set(statuses)).toEqual(new Set([206]));
        const usage = await fetch(`${other.origin}/v1/usage`, { headers });
        expect(await usage.json()).toMatchObject({ data: { quota: { used: 2 } } });
      });
    });
    await redis.remove();
  });
});

test("the published snapshots are still those of the pipeline", async () => {
  expect(await listSnapshotIds(snapshots)).toHaveLength(2);
});
