import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as forwarded, type Server } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { tableFiles } from "../../server/requests/table-files.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import type { Json } from "../support/json.ts";
import { SnapshotAnswers } from "../../server/requests/answer.ts";
import { READ_ENDPOINTS } from "../../server/routes/endpoints.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { ServerFixture } from "../support/server-fixture.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A folder that .ci/client-tools has filled: no package of ours brings these programs. */
const TOOLS = process.env["HINDSIGHT_CLIENT_TOOLS"];
if (TOOLS === undefined)
  process.stderr.write("tests of table readers are skipped: HINDSIGHT_CLIENT_TOOLS is not set\n");

const READER = fileURLToPath(new URL("table-readers.py", import.meta.url));
const COLUMN = "rsi_14";
const run = promisify(execFile);

describe.runIf(TOOLS !== undefined)("one coin of a table is the file's own, read by", () => {
  const root = temporaryFolder("table-readers");
  const python = () => join(TOOLS!, "venv/bin/python");
  let [id, key, link, size] = ["", "", "", 0];
  let expected: readonly [number, number];
  let server: ServerFixture;
  /** Between reader and server, which sees each request. */
  let proxy: Server;
  let seen: { readonly method: string; readonly range: string; readonly status: number }[] = [];

  beforeAll(async () => {
    await publishDemo(root, "2024-06-01", "2024-06-02T00:10:00Z");
    const dir = (await findCurrent(root))!;
    const snapshot = await openSnapshot(dir);
    const values = [...snapshot.indicators("btc")!.rsi14];
    const known = values.filter((value) => !Number.isNaN(value));
    expected = [values.length, known.reduce((sum, value) => sum + value, 0) / known.length];
    server = await ServerFixture.start({ snapshot, tables: tableFiles(root, () => {}) });
    [id, key] = [snapshot.id, await server.key()];
    size = readFileSync(join(dir, "indicators.parquet")).length;
    proxy = createServer((asked, answer) => {
      const { method = "", url, headers } = asked;
      const on = forwarded(server.origin + url!, { method, headers }, (from) => {
        const { range = "" } = headers;
        seen.push({ method, range, status: from.statusCode! }); // an answer has one
        answer.writeHead(from.statusCode!, from.headers);
        from.pipe(answer);
      });
      on.on("error", () => answer.destroy());
      asked.pipe(on);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const { data }: Json = await (await server.get("/v1/snapshots", key)).json();
    const file = data.files.find(({ name }: Json) => name === "indicators.parquet");
    link = file.url.replace(server.origin, origin());
  });
  beforeEach(() => void (seen = []));
  afterAll(async () => {
    proxy?.close();
    await server?.close();
  });

  const origin = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const base = () => `${origin()}/v1/snapshots/${id}`;
  async function read(reader: string, as: string, url: string): Promise<unknown> {
    const { stdout } = await run(python(), [READER, reader, as, url, COLUMN]);
    return JSON.parse(stdout.trim().split("\n").at(-1)!) as unknown; // there is a last line
  }
  const figures = () => [expected[0], expect.closeTo(expected[1], 8)];
  const statuses = () => [...new Set(seen.map(({ status }) => status))];

  test("DuckDB with a key: a HEAD and few parts", async () => {
    expect(await read("duckdb", key, `${base()}/indicators.parquet`)).toEqual(figures());
    expect(seen[0]!.method).toBe("HEAD");
    expect(seen.length).toBeLessThanOrEqual(12);
  });

  test("DuckDB with a link", async () => {
    expect(await read("duckdb", "", link)).toEqual(figures());
  });

  test("DuckDB that attaches the database: parts of it", async () => {
    expect(await read("attach", key, `${base()}/hindsight.duckdb`)).toEqual(figures());
    expect(seen.length).toBeLessThanOrEqual(40);
    expect(statuses()).toEqual(expect.arrayContaining([206]));
  });

  test("polars with a link: a suffix first, often longer than the file, and no HEAD", async () => {
    expect(await read("polars", "", link)).toEqual(figures());
    expect(seen[0]!.range).toMatch(/^bytes=-\d+$/);
    expect(seen.map(({ method }) => method)).not.toContain("HEAD");
    expect(statuses()).toEqual([206]);
  });

  test("pandas with a key, whole, from what is current", async () => {
    const current = `${origin()}/v1/snapshots/current/indicators.parquet`;
    expect(await read("pandas", key, current)).toEqual(figures());
    expect(seen.map(({ status }) => status)).toEqual([307, 200]);
  });

  test("pyarrow over fsspec with a key", async () => {
    expect(await read("pyarrow", key, `${base()}/indicators.parquet`)).toEqual(figures());
    expect(seen.length).toBeLessThanOrEqual(16);
  });

  test("curl, which goes on where it was cut", async () => {
    const file = join(root, "cut.parquet");
    const whole = readFileSync(join(root, id, "indicators.parquet"));
    const args = ["-s", "-H", `Authorization: Bearer ${key}`, "-o", file];
    await run("curl", [...args, "-r", "0-999", `${base()}/indicators.parquet`]);
    await run("curl", [...args, "-C", "-", `${base()}/indicators.parquet`]);
    expect(readFileSync(file).equals(whole)).toBe(true);
    expect(seen.at(-1)).toMatchObject({ range: "bytes=1000-", status: 206 });
    expect(whole.length).toBe(size);
  });

  test("nobody with an altered link; polars prints what to do", async () => {
    const altered = link.replace("signature=", "signature=A");
    expect(await read("duckdb", "", altered)).toContain("HTTP");
    expect(await read("polars", "", altered)).toContain("GET /v1/snapshots");
  });

  test("DuckDB while the snapshot is replaced: the old one's figures", async () => {
    const args = [READER, "duckdb", key, `${base()}/indicators.parquet`, COLUMN, "--again"];
    const child = spawn(python(), args);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const first = JSON.parse((await lines.next()).value!) as unknown;
    expect(first).toEqual(figures());
    await publishDemo(root, "2024-06-02", "2024-06-03T00:10:00Z");
    const dir = (await findCurrent(root))!;
    server.service.answers = new SnapshotAnswers(await openSnapshot(dir), READ_ENDPOINTS);
    child.stdin.end("\n");
    const [rows] = JSON.parse((await lines.next()).value!) as number[];
    expect(rows).toBe(expected[0]);
  });
});
