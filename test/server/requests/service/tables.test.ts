import { hash } from "node:crypto";
import { readFileSync, renameSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findCurrent } from "../../../../snapshots/folder.ts";
import { openSnapshot } from "../../../../snapshots/reader.ts";
import { tableFiles } from "../../../../server/requests/table-files.ts";
import type { Json } from "../../../support/json.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";
import { publishDemo } from "../../../support/publish-demo.ts";
import { bearer, errorOf, refusalOf, usedBy, withServer } from "../../../support/server-fixture.ts";
import { NAME, tableServer } from "../../../support/table-server.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { writable } from "../../../support/writable.ts";

const { root, older, manifest, base, bytes, server, key, read, head, linksOf } =
  await tableServer("tables");

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
      expect(status, `of ${query}`).toBe(400);
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
    const [got, described] = [await read(range), await head(range)];
    for (const response of [got, described]) {
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
    const damaged: string[] = [];
    const tables = tableFiles(copy, (reason) => damaged.push(reason));
    await withServer({ snapshot: await openSnapshot(dir), tables }, async (cut) => {
      const path = `/v1/snapshots/${basename(dir)}/${NAME}`;
      const as = await cut.key();
      const sent = { headers: { authorization: `Bearer ${as}` }, method: "HEAD" };
      truncateSync(writable(join(dir, NAME)), 10);
      expect(await refusalOf(await cut.get(path, as))).toEqual([500, "internal_error"]);
      expect((await fetch(cut.origin + path, sent)).status).toBe(500);
      expect([cut.defects.length, damaged.length]).toEqual([2, 2]);
      expect(damaged[0]).toContain(`${NAME} has 10 bytes`);
      expect(usedBy(cut, as)).toBe(0);
      renameSync(dir, join(copy, ".unfinished-pruned"));
      expect(await refusalOf(await cut.get(path, as))).toEqual([410, "snapshot_gone"]);
      expect((await fetch(cut.origin + path, sent)).status).toBe(410);
    });
  });
});
