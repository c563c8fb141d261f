/** The worst that one caller can do within its plan or without a key. Each of these ends by itself. */
import { createConnection, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../support/ask.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import type { Manifest } from "../../snapshots/manifest.ts";
import { operationNames } from "../../server/openapi/operation-names.ts";
import { docsFolder } from "../../server/pages/docs-folder.ts";
import { pathsOf as docsPaths, readLibrary } from "../../server/pages/library.ts";
import { pathsOf } from "../../web/paths.ts";

/** The server that is called, and what is known of it. */
export interface Called {
  /** For files of an attack. */
  readonly folder: string;
  readonly origin: string;
  readonly port: number;
  readonly manifest: Manifest;
  /** Keys of different accounts. The first is that of the worst caller. */
  readonly keys: readonly string[];
}

/** No attack lasts longer. */
const LASTS_MAX_MS = 20_000;
/** How long a client that reads nothing stays. */
const UNREAD_MS = 6000;
/** As many as the largest plan allows in a minute. */
const CALLS = 600;
const SEARCHES = 1000;
const UPLOAD_BYTES = 4 * 1024 * 1024;
const UPLOAD_BYTES_PER_SECOND = 24 * 1024;
const UPLOADS = 8;
const BODY_BRACKETS = 60_000;
const UPLOAD_STEP_MS = 100;

export interface Sent {
  readonly path: string;
  readonly key?: string | undefined;
  /** Header lines. */
  readonly lines?: readonly string[];
  /** Of a POST. */
  readonly body?: string;
}

const GZIP = "Accept-Encoding: gzip";
const BROWSER = "Accept: text/html";

function times(count: number, make: (at: number) => Sent): Sent[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** The boards of past days, all of them new to the server. */
const pastBoards = ({ manifest, keys: [key] }: Called) =>
  times(CALLS, (back) => {
    return { path: `/v1/signals?date=${dateOfDay(manifest.asOf - 1 - back)}`, key, lines: [GZIP] };
  });

/** Bodies that aren't JSON, as only their last bracket shows. */
function brokenBodies({ keys: [key] }: Called): Sent[] {
  const body = "[".repeat(BODY_BRACKETS) + "]".repeat(BODY_BRACKETS + 1);
  const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
  return times(CALLS, () => ({ path: "/v1/studies", key, lines, body }));
}

const searches = () =>
  times(SEARCHES, (at) => {
    const words = `overfitting sharpe backtest quota snapshot drawdown ${at}`;
    return { path: `/docs/search?q=${encodeURIComponent(words)}` };
  });

function everyPage({ manifest }: Called): Sent[] {
  const coins = new Set(manifest.coins.map(({ ticker }) => ticker));
  const templates = new Set(CATALOGUE.map(({ name }) => name));
  const pages = pathsOf({ coins, priced: coins, templates });
  const docs = docsPaths(readLibrary(docsFolder(), operationNames()));
  return [...pages, "/docs", "/openapi.json", ...docs].map((path) => {
    return { path, lines: [GZIP, BROWSER] };
  });
}

export type Attack = (called: Called) => Promise<void>;

/** Each of these sends many requests in one turn and waits for the answers. */
export const AT_ONCE = {
  pastBoards: atOnce(pastBoards),
  brokenBodies: atOnce(brokenBodies),
  searches: atOnce(searches),
  everyPage: atOnce(everyPage),
  unknownPaths: atOnce(() =>
    times(SEARCHES, (at) => ({ path: `/coins/btc${at}`, lines: [BROWSER] })),
  ),
};

/** Each of these sends many requests for the largest answers there are, and reads none of them. */
export const UNREAD = {
  dataset: unread(({ keys: [key] }) => times(CALLS, () => ({ path: "/v1/dataset", key }))),
  pages: unread(() => times(CALLS, () => ({ path: "/dataset", lines: [BROWSER] }))),
};

/** Sends all requests at once and resolves when each is answered or its connection closed. */
function atOnce(requestsOf: (called: Called) => readonly Sent[]): Attack {
  return async (called) => {
    const requests = requestsOf(called);
    const sockets = await connected(called.port, requests.length);
    const answers = sockets.map(answered);
    for (const [at, socket] of sockets.entries()) socket.write(textOf(requests[at]!)); // one for each
    await Promise.race([Promise.all(answers), sleep(LASTS_MAX_MS)]);
    for (const socket of sockets) socket.destroy();
  };
}

function unread(requestsOf: (called: Called) => readonly Sent[]): Attack {
  return async (called) => {
    const requests = requestsOf(called);
    const sockets = await connected(called.port, requests.length);
    for (const [at, socket] of sockets.entries()) socket.pause().write(textOf(requests[at]!)); // one for each
    await sleep(UNREAD_MS);
    for (const socket of sockets) socket.destroy();
  };
}

function connected(port: number, count: number): Promise<Socket[]> {
  const one = async () => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.on("error", () => {}); // the server may close it
    await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    return socket;
  };
  return Promise.all(Array.from({ length: count }, one));
}

export function textOf(
  { path, key, lines = [], body = "" }: Sent,
  method = body === "" ? "GET" : "POST",
) {
  const own = key === undefined ? lines : [...lines, `Authorization: Bearer ${key}`];
  return [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", ...own, "", body].join("\r\n");
}

/** Resolves when a whole answer has come, or the connection is closed. */
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

/** A matrix of returns as CSV; by default with as many cells as a check may have. */
export function worstFile(variants = 400, days = 1000): string {
  const names = Array.from({ length: variants }, (_, variant) => `v${variant}`);
  const rows = Array.from({ length: days }, (_, day) => {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    return [date, ...names.map((_, variant) => (Math.sin(day * day + variant) / 50).toFixed(6))];
  });
  return [["date", ...names], ...rows].map((cells) => cells.join(",")).join("\n");
}

/** One account that always has two checks of the worst kind under way. */
export async function worstChecks({ origin, keys }: Called, forMs: number): Promise<void> {
  const body = worstFile();
  const endMs = performance.now() + forMs;
  const loop = async () => {
    while (performance.now() < endMs) {
      const { status } = await ask(`${origin}/v1/check`, { key: keys[0], body });
      if (status !== 200) await sleep(UPLOAD_STEP_MS);
    }
  };
  await Promise.all([loop(), loop()]);
}

/** Uploads that are as slow as the socket library allows, two by each account but the last. */
export async function slowUploads({ port, keys }: Called, forMs: number): Promise<void> {
  const sockets = await connected(port, UPLOADS);
  for (const [at, socket] of sockets.entries()) {
    const lines = [`Content-Length: ${UPLOAD_BYTES}`];
    socket.write(textOf({ path: "/v1/check", key: keys[at >> 1], lines }, "POST"));
  }
  const piece = Buffer.alloc((UPLOAD_BYTES_PER_SECOND * UPLOAD_STEP_MS) / 1000, "1");
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    for (const socket of sockets) if (socket.writable) socket.write(piece);
    await sleep(UPLOAD_STEP_MS);
  }
  for (const socket of sockets) socket.destroy();
}
