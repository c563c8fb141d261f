import { once } from "node:events";
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serveMetrics, type MetricsServer } from "../../../server/metrics/metrics-server.ts";

import { requestText, sendRaw } from "../../support/http-raw.ts";
import { until, untilItPasses } from "../../support/until.ts";

let scrapes = 0;
const ANY_PORT = { host: "127.0.0.1", port: 0, required: true };
const text = () => Promise.resolve(`scrapes ${++scrapes}\n`);
const warnings: object[] = [];
const log = { error: () => {}, warn: (details: object) => void warnings.push(details) };
const serve = async () => (await serveMetrics(ANY_PORT, log, text))!; // or it fails
let scraped: MetricsServer;
beforeEach(async () => {
  scrapes = 0;
  scraped = await serve();
});
afterEach(() => scraped.close());

test("has one path and takes GET and HEAD", async () => {
  const { origin } = new URL(scraped.url);
  expect((await fetch(`${origin}/v1/signals`)).status).toBe(404);
  expect((await fetch(scraped.url, { method: "POST" })).status).toBe(405);
  const head = await fetch(scraped.url, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("takes 16 connections at a time, so that the server keeps its descriptors", async () => {
  const port = Number(new URL(scraped.url).port);
  const sockets = Array.from({ length: 40 }, () => connect(port, "127.0.0.1").resume());
  for (const socket of sockets) socket.on("error", () => {});
  const open = () => sockets.filter((socket) => !socket.closed);
  await until(() => open().length === 16);
  const answered = once(open()[0]!, "data");
  for (const socket of open()) socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(String(await answered)).toMatch(/^HTTP\/1.1 200 /);
  expect(open()).toHaveLength(16);
  for (const socket of sockets) socket.destroy();
  await untilItPasses(async () => expect((await fetch(scraped.url)).status).toBe(200));
});

test("scrapes once for a connection, however many requests come at once", async () => {
  const port = Number(new URL(scraped.url).port);
  const asked = requestText("GET /metrics").repeat(100);
  const { text, closed } = await sendRaw(port, asked, { responses: 0 });
  expect(text).toMatch(/^HTTP\/1.1 200 /);
  expect(closed).toBe(true);
  expect(scrapes).toBe(1);
});

test("fails where its port is taken, and goes without metrics if that was the default one", async () => {
  const port = Number(new URL(scraped.url).port);
  const taken = { ...ANY_PORT, port };
  const reason = `cannot serve metrics on 127.0.0.1:${port}: EADDRINUSE`;
  await expect(serveMetrics(taken, log, text)).rejects.toThrow(reason);
  expect(await serveMetrics({ ...taken, required: false }, log, text)).toBeUndefined();
  expect(warnings).toEqual([{ reason }]);
});

test("outlives connections that the system cannot give", async () => {
  const { createServer } = http;
  const made: http.Server[] = [];
  http.createServer = ((...given: Parameters<typeof createServer>) => {
    made.push(createServer(...given));
    return made.at(-1);
  }) as typeof createServer;
  syncBuiltinESMExports();
  const served = await serve().finally(() => {
    http.createServer = createServer;
    syncBuiltinESMExports();
  });
  for (let times = 0; times < 2; times++) made[0]!.emit("error", new Error("accept ENFILE"));
  expect((await fetch(served.url)).status).toBe(200);
  served.close();
});
