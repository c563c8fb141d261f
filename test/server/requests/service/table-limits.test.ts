import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { TABLES_ENDPOINT } from "../../../../server/requests/table-use.ts";
import type { Json } from "../../../support/json.ts";
import { requestText } from "../../../support/http-raw.ts";
import { bearer, errorOf, refusalOf, usedBy, withServer } from "../../../support/server-fixture.ts";
import { DAY_MS, NAME, tableServer } from "../../../support/table-server.ts";
import { until } from "../../../support/until.ts";

const MIB = 1024 * 1024;
const { base, bytes, options, server, key, read, head, linksOf } =
  await tableServer("table-limits");
const own = (email: string, plan = "roomy") => server.key(plan, `${email}@example.com`);

describe("a link", () => {
  test("opens its file without a key, and no other", async () => {
    const links = await linksOf(key);
    const opened = await server.get(links[NAME]!, undefined);
    expect(Buffer.from(await opened.arrayBuffer()).equals(bytes)).toBe(true);
    const query = links[NAME]!.split("?")[1]!;
    const refused = await server.get(`${base}/prices.parquet?${query}`, undefined);
    expect(await refusalOf(refused)).toEqual([403, "link_invalid"]);
    expect((await server.get(`/v1/usage?${query}`, undefined)).status).toBe(401);
    expect((await server.get(`${base}/${NAME}`, undefined)).status).toBe(401);
    expect((await server.get(links[NAME]!, "hs_live_wrong")).status, "the header wins").toBe(401);
  });

  test("ends with its hours, and with its key", async () => {
    const email = "linked@example.com";
    const as = await server.key("roomy", email);
    const { [NAME]: link } = await linksOf(as, "hours=1");
    server.clock.pass(3_599_000);
    expect((await server.get(link!, undefined)).status).toBe(200);
    server.clock.pass(1000);
    const late = await server.get(link!, undefined);
    expect(late.status).toBe(403);
    expect(await errorOf(late)).toMatchObject({
      code: "link_expired",
      message: expect.stringContaining("/v1/snapshots") as string,
    });
    const { [NAME]: next } = await linksOf(as);
    const { data }: Json = await (await server.get("/v1/usage", as)).json();
    await server.state.admin.revokeKey({ id: data.keys[0].id });
    expect(await refusalOf(await server.get(next!, undefined))).toEqual([403, "link_invalid"]);
  });
});

describe("a file costs", () => {
  test("one call a day for any number of ranges, and nothing for what has no body", async () => {
    const as = await own("ranges");
    for (const name of ["manifest.json", "SHA256SUMS"]) await server.get(`${base}/${name}`, as);
    await server.get("/v1/snapshots/CURRENT", as);
    await head("", as);
    await read(undefined, { "if-none-match": "*" }, as);
    await read("bytes=5-2", {}, as);
    expect(usedBy(server, as)).toBe(0);
    const ranges = Array.from({ length: 30 }, (_, n) => read(`bytes=${n}-${n + 9}`, {}, as));
    for (const response of await Promise.all(ranges)) await response.bytes();
    expect(usedBy(server, as)).toBe(1);
    await server.state.round();
    const { data }: Json = await (await server.get("/v1/usage", as)).json();
    expect(data.calls).toMatchObject([{ endpoint: TABLES_ENDPOINT, calls: 1, units: 1 }]);
    server.clock.pass(DAY_MS);
    await (await read("bytes=0-1", {}, as)).bytes();
    expect(usedBy(server, as)).toBe(2);
  });

  test("nothing of the rate limit; above the quota it is refused", async () => {
    const as = await own("quota", "three");
    for (const name of ["prices", "strategies", "variants"]) {
      await (await server.get(`${base}/${name}.parquet`, as)).bytes();
    }
    expect(await refusalOf(await read(undefined, {}, as))).toEqual([429, "quota_exceeded"]);
    const slow = await own("slow", "slow");
    for (let n = 0; n < 10; n++) expect((await read("bytes=0-1", {}, slow)).status).toBe(206);
  });

  test("its bytes, and above those of a day the rest waits for midnight", async () => {
    await withServer({ ...options, tableBytesPerDay: bytes.length + 1 }, async (small) => {
      const as = await small.key();
      for (let n = 0; n < 2; n++) await (await small.get(`${base}/${NAME}`, as)).bytes();
      const refused = await small.get(`${base}/${NAME}`, as);
      const seconds = Math.ceil((DAY_MS - (small.clock.nowMs() % DAY_MS)) / 1000);
      expect(refused.headers.get("retry-after")).toBe(String(seconds));
      expect(await refusalOf(refused)).toEqual([429, "bytes_exceeded"]);
    });
  });
});

describe("readers that read slowly", () => {
  const begin = (as: string, name = "hindsight.duckdb"): Socket => {
    const socket = connect({ port: server.http.port, host: "127.0.0.1" });
    socket.pause();
    socket.write(requestText(`GET ${base}/${name}`, [bearer(as)]));
    return socket;
  };

  test("beyond 32 bodies of an account wait for a second; a reader that leaves makes room", async () => {
    const as = await own("many");
    const readers = Array.from({ length: 32 }, () => begin(as));
    await until(() => server.http.inFlight() === 32);
    const refused = await server.get(`${base}/hindsight.duckdb`, as);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refusalOf(refused)).toEqual([503, "unavailable"]);
    for (const reader of readers) reader.destroy();
    await until(() => server.http.inFlight() === 0);
    expect((await server.get(`${base}/${NAME}`, as)).status).toBe(200);
  });

  test("cost no memory, and delay nobody", async () => {
    const as = await Promise.all(["a", "b", "c", "d"].map((name) => own(`crowd-${name}`)));
    const before = process.memoryUsage().rss;
    const readers = Array.from({ length: 100 }, (_, n) => begin(as[n % 4]!));
    await until(() => server.http.inFlight() === 100);
    const tookMs: number[] = [];
    for (let n = 0; n < 50; n++) {
      const begun = performance.now();
      await (await server.get("/v1/signals?coin=btc", key)).bytes();
      tookMs.push(performance.now() - begun);
    }
    // Sockets of the system hold megabytes that belong to no process.
    expect((process.memoryUsage().rss - before) / MIB).toBeLessThan(64);
    expect(tookMs.toSorted((a, b) => a - b)[25]!).toBeLessThan(50);
    for (const reader of readers) reader.destroy();
    await until(() => server.http.inFlight() === 0);
  });
});

test("where prices are withheld, so are tables with them and the database", async () => {
  await withServer({ ...options, withholdsPrices: true }, async (careful) => {
    const as = await careful.key();
    const { data }: Json = await (await careful.get("/v1/snapshots", as)).json();
    const listed = data.files.map(({ name }: Json) => name);
    for (const name of [
      "prices.parquet",
      "prices.arrow",
      "dca.parquet",
      "signals.parquet",
      "buy_hold.arrow",
      NAME,
      "rejects.arrow",
      "hindsight.duckdb",
    ]) {
      expect(listed).not.toContain(name);
      expect(await refusalOf(await careful.get(`${base}/${name}`, as))).toEqual([
        404,
        "not_shared",
      ]);
    }
    expect((await careful.get(`${base}/strategies.parquet`, as)).status).toBe(200);
  });
});
