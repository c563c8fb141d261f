import { hash } from "node:crypto";
import { readFileSync, renameSync, truncateSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCurrent } from "../../../../snapshots/folder.ts";
import { readManifest, type Manifest } from "../../../../snapshots/manifest.ts";
import { openSnapshot } from "../../../../snapshots/reader.ts";
import { tableFiles } from "../../../../server/requests/table-files.ts";
import { TABLES_ENDPOINT } from "../../../../server/requests/table-use.ts";
import type { Json } from "../../../support/json.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";
import { publishDemo } from "../../../support/publish-demo.ts";
import {
  bearer,
  errorOf,
  refusalOf,
  ServerFixture,
  usedBy,
  withServer,
  type FixtureOptions,
} from "../../../support/server-fixture.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { until } from "../../../support/until.ts";
import { writable } from "../../../support/writable.ts";

const root = temporaryFolder("tables");
const NAME = "indicators.parquet";
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

let older: string;
let manifest: Manifest;
let base: string;
let bytes: Buffer;
let options: FixtureOptions;
let server: ServerFixture;
let key: string;

beforeAll(async () => {
  await publishDemo(root, "2024-06-01", "2024-06-02T00:10:00Z");
  older = basename((await findCurrent(root))!);
  await publishDemo(root, "2024-06-02", "2024-06-03T00:10:00Z");
  const dir = (await findCurrent(root))!;
  manifest = await readManifest(dir);
  base = `/v1/snapshots/${manifest.id}`;
  bytes = readFileSync(join(dir, NAME));
  options = { snapshot: await openSnapshot(dir), tables: tableFiles(root, () => {}) };
  server = await ServerFixture.start(options);
  key = await server.key();
});
afterAll(() => server.close());

const own = (email: string, plan = "roomy") => server.key(plan, `${email}@example.com`);
const read = (range?: string, headers: Record<string, string> = {}, as = key) =>
  server.get(`${base}/${NAME}`, as, { ...(range && { range }), ...headers });

async function linksOf(as: string, query = ""): Promise<Record<string, string>> {
  const { data }: Json = await (await server.get(`/v1/snapshots?${query}`, as)).json();
  return Object.fromEntries(
    data.files.map(({ name, url }: Json) => [name, url.slice(server.origin.length)]),
  ) as Record<string, string>;
}

describe("GET /snapshots", () => {
  test("lists what is kept, and the files of the current one as its manifest does", async () => {
    const response = await server.get("/v1/snapshots", key);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const { data }: Json = await response.json();
    expect(data.current).toBe(manifest.id);
    expect(data.snapshots.map(({ id }: Json) => id)).toEqual([manifest.id, older]);
    const files = data.files.map(({ name, bytes, rows, sha256 }: Json) => ({
      name,
      bytes,
      rows,
      sha256,
    }));
    expect(files).toEqual(manifest.files);
    expect(usedBy(server, key)).toBe(0);
  });

  test("lists the files of another, and says which are not kept", async () => {
    const links = await linksOf(key, `snapshot=${older}`);
    expect(links[NAME]).toContain(`/v1/snapshots/${older}/`);
    const gone = older.replace(/^2024/, "2023");
    expect(await refusalOf(await server.get(`/v1/snapshots?snapshot=${gone}`, key))).toEqual([
      410,
      "snapshot_gone",
    ]);
    for (const query of ["hours=0", "hours=169", "hours=1.5", "days=1"]) {
      const { status } = await server.get(`/v1/snapshots?${query}`, key);
      expect(status, query).toBe(400);
    }
  });
});

describe("a file", () => {
  test("comes whole, with what proves it, and never compressed", async () => {
    const response = await read(undefined, { "accept-encoding": "gzip" });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const sha256 = hash("sha256", bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: `"${sha256}"`,
      "repr-digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
      "accept-ranges": "bytes",
      "last-modified": "Mon, 03 Jun 2024 00:10:00 GMT",
      "cache-control": "private, max-age=31536000, immutable",
      "content-type": "application/vnd.apache.parquet",
      "content-length": String(bytes.length),
      "content-disposition": 'attachment; filename="hindsight-indicators-2024-06-02-demo.parquet"',
      synthetic: "true",
    });
    expect(response.headers.get("content-range")).toBeNull();
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(response.headers.get("link")).toContain('rel="license"');
  });

  test.each([
    ["prices.arrow", "application/vnd.apache.arrow.file"],
    ["hindsight.duckdb", "application/octet-stream"],
    ["manifest.json", "application/json; charset=utf-8"],
    ["SHA256SUMS", "text/plain; charset=utf-8"],
  ])("%s is sent as it is on the disk, as %s", async (name, type) => {
    const response = await server.get(`${base}/${name}`, key);
    const sent = Buffer.from(await response.arrayBuffer());
    expect(sent.equals(readFileSync(join(root, manifest.id, name)))).toBe(true);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("etag")).toBe(`"${hash("sha256", sent)}"`);
  });

  test.each([
    ["bytes=0-3", 0, 4],
    ["bytes=100-", 100, undefined],
    ["bytes=-8", -8, undefined],
    ["bytes=-999999999", 0, undefined],
  ])("its part %s", async (range, from, to) => {
    const part = bytes.subarray(from, to);
    const [got, head] = [
      await read(range),
      await fetch(server.origin + `${base}/${NAME}`, {
        method: "HEAD",
        headers: { range, authorization: `Bearer ${key}` },
      }),
    ];
    for (const response of [got, head]) {
      expect(response.status).toBe(206);
      const start = bytes.length + (from < 0 ? from : from - bytes.length);
      const end = start + part.length - 1;
      expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${bytes.length}`);
      expect(response.headers.get("content-length")).toBe(String(part.length));
    }
    expect(Buffer.from(await got.arrayBuffer()).equals(part)).toBe(true);
  });

  test("a range that is none is 416 with the size; a condition comes first", async () => {
    const response = await read("bytes=5-2");
    expect(response.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
    expect(await refusalOf(response)).toEqual([416, "range_not_satisfiable"]);
    const etag = `"${hash("sha256", bytes)}"`;
    expect((await read("bytes=5-2", { "if-none-match": etag })).status).toBe(304);
    expect((await read("bytes=0-1", { "if-range": etag })).status).toBe(206);
    expect((await read("bytes=0-1", { "if-range": "Mon, 03 Jun 2024 00:10:00 GMT" })).status).toBe(
      206,
    );
    for (const other of ['"another"', `W/${etag}`, "Mon, 03 Jun 2024 00:10:01 GMT"]) {
      const whole = await read("bytes=0-1", { "if-range": other });
      expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
    }
  });

  test("of the current snapshot is behind a redirect; a part of it is refused", async () => {
    const current = `/v1/snapshots/current/${NAME}`;
    const there = await fetch(server.origin + current, {
      redirect: "manual",
      headers: { authorization: `Bearer ${key}` },
    });
    expect([there.status, there.headers.get("location")]).toEqual([307, `${base}/${NAME}`]);
    const whole = Buffer.from(await (await server.get(current, key)).arrayBuffer());
    expect(whole.equals(bytes)).toBe(true);
    const refused = await server.get(current, key, { range: "bytes=0-1" });
    const { code, message } = await errorOf(refused);
    expect([refused.status, code]).toEqual([400, "range_of_current"]);
    expect(message).toContain(`${server.origin}${base}/${NAME}`);
    const id = await server.get("/v1/snapshots/CURRENT", key);
    expect(await id.text()).toBe(`${manifest.id}\n`);
  });

  test.each([
    ["current/prces.parquet", 404, '"prices.parquet"'],
    ["curent/prices.parquet", 404, '"current"'],
    ["current/..%2fCURRENT", 404, "no file"],
    ["current/%2e%2e/CURRENT", 404, "no file"],
    ["current/../CURRENT", 404, "no file"],
    ["current/a/prices.parquet", 404, '"prices.parquet"'],
    ["current", 404, "no file"],
    ["2023-06-02T20240603T001000000Z-0123456789ab/prices.parquet", 410, "current one"],
  ])("%s is %i and names what is there", async (path, status, words) => {
    // Sent by hand, since clients resolve dot segments.
    const request = requestText(`GET /v1/snapshots/${path}`, [bearer(key)]);
    const { responses } = await sendRaw(server.http.port, request);
    expect(responses[0]!.status).toBe(status);
    expect((JSON.parse(responses[0]!.body) as Json).error.message).toContain(words);
  });

  test("one that is shorter than its manifest says is a defect, never half a body", async () => {
    const copy = temporaryFolder("tables-cut");
    await publishDemo(copy, "2024-06-01", "2024-06-02T00:10:00Z");
    const dir = (await findCurrent(copy))!;
    await withServer(
      { snapshot: await openSnapshot(dir), tables: tableFiles(copy, () => {}) },
      async (cut) => {
        const path = `/v1/snapshots/${basename(dir)}/${NAME}`;
        truncateSync(writable(join(dir, NAME)), 10);
        const as = await cut.key();
        expect(await refusalOf(await cut.get(path, as))).toEqual([500, "internal_error"]);
        expect(cut.defects).toHaveLength(1);
        expect(usedBy(cut, as)).toBe(0);
        renameSync(dir, join(copy, ".unfinished-pruned"));
        expect(await refusalOf(await cut.get(path, as))).toEqual([410, "snapshot_gone"]);
      },
    );
  });
});

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
    await fetch(`${server.origin}${base}/${NAME}`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${as}` },
    });
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
    for (const name of ["prices", "dca", "signals"]) {
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
    expect((await careful.get(`${base}/dca.parquet`, as)).status).toBe(200);
  });
});
