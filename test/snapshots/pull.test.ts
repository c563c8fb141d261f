/** A snapshot is fetched from an origin that cuts, lies, goes back or grows; and by a program that is killed. */
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { spawn } from "node:child_process";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findCurrent, listSnapshotIds } from "../../snapshots/folder.ts";
import { pullSnapshot } from "../../snapshots/pull.ts";
import { verifySnapshot } from "../../snapshots/verified-files.ts";
import { HINDSIGHT } from "../support/built-script.ts";
import { publishDemo } from "../support/publish-demo.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const origin = temporaryFolder("origin");
/** What the origin does to an answer; undefined for sending the file. */
type Trouble = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => Buffer | true | undefined;
let trouble: Trouble = () => undefined;
let server: Server;
let url: string;
let older: string;
let newer: string;
let requests: { path: string; range: string | undefined; key: string | undefined }[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url!.replace("/v1/snapshots/", "");
  const { range, authorization } = request.headers;
  requests.push({ path, range, key: authorization });
  const made = trouble(path, request, response);
  if (made === true) return;
  const file = join(origin, path);
  if (made === undefined && !existsSync(file)) {
    response.writeHead(404).end("no such file");
    return;
  }
  const bytes = made ?? readFileSync(file);
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  const about =
    from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { ...about, "content-length": bytes.length - from });
  response.end(bytes.subarray(from));
}

beforeAll(async () => {
  await publishDemo(origin, "2024-06-01", "2024-06-02T00:10:00Z");
  older = basename((await findCurrent(origin))!);
  await publishDemo(origin, "2024-06-02", "2024-06-03T00:10:00Z");
  newer = basename((await findCurrent(origin))!);
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/snapshots`;
});
beforeEach(() => {
  trouble = () => undefined;
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const pull = (root: string, more: { id?: string; key?: string } = {}) =>
  pullSnapshot({ root, url, report: () => {}, waits: [0, 0, 0], ...more });
const idsIn = async (root: string) => [
  basename((await findCurrent(root)) ?? ""),
  await listSnapshotIds(root),
];

test("a snapshot arrives whole, with the key, and once", async () => {
  const root = temporaryFolder("pulled");
  expect(await pull(root, { key: "hs_live_x" })).toEqual({ id: newer, isNew: true });
  expect(new Set(requests.map(({ key }) => key))).toEqual(new Set(["Bearer hs_live_x"]));
  expect(await verifySnapshot(join(root, newer))).toEqual([]);
  expect(await idsIn(root)).toEqual([newer, [newer]]);
  requests = [];
  expect(await pull(root)).toEqual({ id: newer, isNew: false });
  expect(requests.map(({ path }) => path)).toEqual(["CURRENT"]);
});

test("an older one is refused with both names, unless it is named", async () => {
  const root = temporaryFolder("pulled");
  await pull(root);
  trouble = (path) => (path === "CURRENT" ? Buffer.from(`${older}\n`) : undefined);
  await expect(pull(root)).rejects.toThrow(new RegExp(`${older}.*${newer}.*--id ${older}`));
  expect(await pull(root, { id: older })).toEqual({ id: older, isNew: true });
  expect((await idsIn(root))[0]).toBe(older);
});

test("a file that is cut three times arrives by its parts", async () => {
  const root = temporaryFolder("pulled");
  let cuts = 0;
  trouble = (path, { headers }, response) => {
    if (!path.endsWith("hindsight.duckdb") || cuts === 3) return undefined;
    cuts++;
    const bytes = readFileSync(join(origin, path));
    const from = Number(/\d+/.exec(headers.range ?? "0")![0]);
    const about =
      from > 0 ? { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, { ...about, "content-length": bytes.length - from });
    // Ended and not reset, which may drop what the reader has not taken yet.
    response.write(bytes.subarray(from, from + 100_000), () => response.socket!.end());
    return true;
  };
  expect(await pull(root)).toEqual({ id: newer, isNew: true });
  const ranges = requests.filter(({ path }) => path.endsWith("duckdb")).map(({ range }) => range);
  expect(ranges[0]).toBeUndefined();
  expect(ranges.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
});

const flipped = (path: string) => {
  const bytes = readFileSync(join(origin, path));
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
};
const LIES: readonly (readonly [string, Trouble, RegExp])[] = [
  [
    "a flipped byte",
    (path) => (path.endsWith("prices.arrow") ? flipped(path) : undefined),
    /prices\.arrow was not fetched: its content/,
  ],
  [
    "a file without end",
    (path, _, response) => {
      if (!path.endsWith("prices.arrow")) return undefined;
      response.writeHead(200);
      const more = () =>
        response.writable && response.write(Buffer.alloc(65_536), () => setImmediate(more));
      more();
      return true;
    },
    /prices\.arrow was not fetched: it is longer/,
  ],
  [
    "a missing file",
    (path, _, response) =>
      path.endsWith("dca.parquet") && response.writeHead(404).end("gone") ? true : undefined,
    /dca\.parquet: the origin answered 404 gone/,
  ],
  [
    "another manifest",
    (path) => (path.endsWith("manifest.json") ? Buffer.from("{}") : undefined),
    /./,
  ],
  [
    "a manifest with another file's name",
    (path) => {
      if (!path.endsWith("manifest.json")) return undefined;
      return Buffer.from(
        readFileSync(join(origin, path), "utf8").replace("dca.parquet", "../../x"),
      );
    },
    /does not match SHA256SUMS/,
  ],
  [
    "a path as the current id",
    (path) => (path === "CURRENT" ? Buffer.from("../../etc") : undefined),
    /is not the name of a snapshot/,
  ],
  [
    "a current id without end",
    (path) => (path === "CURRENT" ? Buffer.alloc(10_000, "x") : undefined),
    /longer than 200 bytes/,
  ],
  [
    "a part of another place",
    (path, _, response) => {
      if (!path.endsWith("prices.arrow")) return undefined;
      response.writeHead(206, { "content-range": "bytes 5-9/10" }).end("xxxxx");
      return true;
    },
    /the origin sent "bytes 5-9\/10"/,
  ],
];
test.each(LIES)("%s publishes nothing, and the next pull does", async (_name, lie, said) => {
  const root = temporaryFolder("pulled");
  trouble = lie;
  await expect(pull(root)).rejects.toThrow(said);
  expect(await idsIn(root)).toEqual(["", []]);
  trouble = () => undefined;
  expect(await pull(root)).toEqual({ id: newer, isNew: true });
  expect(await verifySnapshot(join(root, newer))).toEqual([]);
});

test("a file that this version does not know is a reason to update", async () => {
  const root = temporaryFolder("pulled");
  const strange = temporaryFolder("strange");
  mkdirSync(join(strange, newer));
  cpSync(join(origin, newer), join(strange, newer), { recursive: true });
  const { encodeChecksums, decodeManifest } = await import("../../snapshots/manifest.ts");
  const text = readFileSync(join(origin, newer, "manifest.json"), "utf8").replace(
    '"strategies.parquet"',
    '"strategies.csv"',
  );
  trouble = (path) => {
    if (path.endsWith("manifest.json")) return Buffer.from(text);
    const sums = path.endsWith("SHA256SUMS");
    return sums ? Buffer.from(encodeChecksums(decodeManifest(text).files, text)) : undefined;
  };
  await expect(pull(root)).rejects.toThrow(/strategies\.csv|holds snapshot/);
});

test("killed at any moment, the next one goes on, and readers see nothing of it", async () => {
  const root = temporaryFolder("pulled");
  for (let kill = 0; kill < 6; kill++) {
    const args = [HINDSIGHT, "snapshot", "pull", url, "--snapshots", root];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    await new Promise((resolve) => setTimeout(resolve, 250 + 60 * kill));
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const [current, ids] = await idsIn(root);
    expect(ids).toEqual(current === "" ? [] : [newer]);
  }
  expect((await pull(root)).id).toBe(newer);
  expect(await verifySnapshot(join(root, newer))).toEqual([]);
  const aside = readdirSync(root).filter((name) => name.startsWith(".unfinished-pull"));
  expect(aside.flatMap((name) => readdirSync(join(root, name)))).toEqual([]);
});
