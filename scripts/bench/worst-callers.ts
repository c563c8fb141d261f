/** What one caller can do at its worst, within its plan or without a key. Each ends by itself. */
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { dateOfDay } from "../../quant/calendar.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import { operationNames } from "../../server/openapi/operation-names.ts";
import { docsFolder } from "../../server/pages/docs-folder.ts";
import { pathsOf as docsPaths, readLibrary } from "../../server/pages/library.ts";
import { pathsOf } from "../../web/paths.ts";

/** The server that is called, and what is known of it. */
export interface Called {
  readonly port: number;
  readonly manifest: Manifest;
  /** Keys of different accounts: the first is that of the worst caller. */
  readonly keys: readonly string[];
}

/** No attack lasts longer. */
const LASTS_MAX_MS = 20_000;
/** How long a client that reads nothing stays. */
const UNREAD_MS = 6000;
/** Of the largest plan in a minute. */
const CALLS = 600;
const PAGES_UNREAD = 600;
const SEARCHES = 1000;
const UPLOAD_BYTES = 4 * 1024 * 1024;
const UPLOAD_BYTES_PER_SECOND = 24 * 1024;
const UPLOADS = 8;
const UPLOAD_STEP_MS = 100;

export interface Sent {
  readonly path: string;
  readonly key?: string | undefined;
  /** Header lines. */
  readonly lines?: readonly string[];
}

const GZIP = "Accept-Encoding: gzip";
const BROWSER = "Accept: text/html";

function head({ path, key, lines = [] }: Sent, method = "GET"): string {
  const own = key === undefined ? lines : [...lines, `Authorization: Bearer ${key}`];
  return [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...own, "", ""].join("\r\n");
}

async function connected(port: number): Promise<Socket> {
  const socket = createConnection({ host: "127.0.0.1", port });
  socket.on("error", () => {}); // the server may close it
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return socket;
}

/** Opens a connection for each request and sends all in one turn. Resolves once all are answered or closed. */
async function allAtOnce({ port }: Called, requests: readonly Sent[]): Promise<void> {
  const sockets = await Promise.all(requests.map(() => connected(port)));
  const answers = sockets.map(answered);
  for (const [at, socket] of sockets.entries()) socket.write(head(requests[at]!)); // one for each
  await Promise.race([Promise.all(answers), sleep(LASTS_MAX_MS)]);
  for (const socket of sockets) socket.destroy();
}

/** Resolves once a whole answer has come, or the connection is closed. */
function answered(socket: Socket): Promise<void> {
  let text = "";
  let missing = Infinity;
  return new Promise((resolve) => {
    socket.on("close", () => resolve());
    socket.on("data", (chunk) => {
      if (missing === Infinity) {
        text += chunk.toString("latin1");
        const end = text.indexOf("\r\n\r\n");
        if (end < 0) return;
        missing = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0) - (text.length - end - 4);
      } else missing -= chunk.length;
      if (missing <= 0) resolve();
    });
  });
}

/** Sends requests and reads none of the answers. */
async function unread({ port }: Called, requests: readonly Sent[]): Promise<void> {
  const sockets = await Promise.all(requests.map(() => connected(port)));
  for (const [at, socket] of sockets.entries()) socket.pause().write(head(requests[at]!)); // one for each
  await sleep(UNREAD_MS);
  for (const socket of sockets) socket.destroy();
}

/** The boards of past days, all of them new. */
export async function pastBoards(called: Called, count = CALLS): Promise<void> {
  const { asOf } = called.manifest;
  const [key] = called.keys;
  const days = Array.from({ length: count }, (_, back) => dateOfDay(asOf - 1 - back));
  await allAtOnce(
    called,
    days.map((day) => ({ path: `/v1/signals?date=${day}`, key, lines: [GZIP] })),
  );
}

/** The largest answers there are, each of them a little different. */
export async function largeUnread(called: Called): Promise<void> {
  const [key] = called.keys;
  await unread(
    called,
    Array.from({ length: CALLS }, () => ({ path: "/v1/dataset", key })),
  );
}

export async function searches(called: Called): Promise<void> {
  const words = "overfitting sharpe backtest quota snapshot drawdown";
  await allAtOnce(
    called,
    Array.from({ length: SEARCHES }, (_, at) => ({
      path: `/docs/search?q=${encodeURIComponent(`${words} ${at}`)}`,
    })),
  );
}

export async function everyPage(called: Called): Promise<void> {
  const coins = new Set(called.manifest.coins.map(({ ticker }) => ticker));
  const templates = new Set(CATALOGUE.map(({ name }) => name));
  const pages = pathsOf({ coins, priced: coins, templates });
  const docs = docsPaths(readLibrary(docsFolder(), operationNames()));
  await allAtOnce(
    called,
    [...pages, "/docs", "/openapi.json", ...docs].map((path) => ({ path, lines: [GZIP, BROWSER] })),
  );
}

export async function pagesUnread(called: Called): Promise<void> {
  await unread(
    called,
    Array.from({ length: PAGES_UNREAD }, () => ({ path: "/dataset", lines: [BROWSER] })),
  );
}

export async function unknownPaths(called: Called): Promise<void> {
  await allAtOnce(
    called,
    Array.from({ length: SEARCHES }, (_, at) => ({ path: `/coins/btc${at}`, lines: [BROWSER] })),
  );
}

/** A file with as many cells as a check may have. */
export function worstFile(variants = 400, days = 1000): string {
  const names = Array.from({ length: variants }, (_, variant) => `v${variant}`);
  const rows = Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    return [date, ...names.map((_, variant) => (Math.sin(day * day + variant) / 50).toFixed(6))];
  });
  return [["date", ...names], ...rows].map((cells) => cells.join(",")).join("\n");
}

/** Sends a file to be checked; resolves with the status. */
export async function checked({ port }: Called, key: string, file: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const url = `http://127.0.0.1:${port}/v1/check`;
  const response = await fetch(url, { method: "POST", headers, body: file });
  await response.arrayBuffer();
  return response.status;
}

/** One account that always has two checks of the worst kind under way. */
export async function worstChecks(called: Called, forMs: number): Promise<void> {
  const [key = ""] = called.keys;
  const file = worstFile();
  const endMs = performance.now() + forMs;
  const loop = async () => {
    while (performance.now() < endMs) {
      const status = await checked(called, key, file);
      if (status !== 200) await sleep(UPLOAD_STEP_MS);
    }
  };
  await Promise.all([loop(), loop()]);
}

/** Uploads that come as slowly as the socket library allows, two by each account but the last. */
export async function slowUploads({ port, keys }: Called, forMs: number): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: UPLOADS }, () => connected(port)));
  for (const [at, socket] of sockets.entries()) {
    const lines = [`Content-Length: ${UPLOAD_BYTES}`];
    socket.write(head({ path: "/v1/check", key: keys[at >> 1], lines }, "POST"));
  }
  const piece = Buffer.alloc((UPLOAD_BYTES_PER_SECOND * UPLOAD_STEP_MS) / 1000, "1");
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    for (const socket of sockets) if (socket.writable) socket.write(piece);
    await sleep(UPLOAD_STEP_MS);
  }
  for (const socket of sockets) socket.destroy();
}
