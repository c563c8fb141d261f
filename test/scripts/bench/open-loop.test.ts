import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type * as Run from "../../../scripts/bench/open-loop-run.ts";
import { writeRequests } from "../../../scripts/bench/raw-request.ts";
import { builtScript } from "../../support/built-script.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

// As it is built, because it starts a script that lies beside it.
const { OpenLoop, runOpenLoop } = (await import(builtScript("bench/open-loop-run"))) as typeof Run;

const requestsFile = writeRequests(join(temporaryFolder("open-loop"), "one"), [
  { path: "/", key: "" },
]);
const LOAD = { requestsFile, perSecond: 200, connections: 2, sleeps: true };

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

let server: Server;
let loop: Run.OpenLoop | undefined;
let onRequest: (socket: Socket) => void;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on("data", () => onRequest(socket));
    socket.on("error", () => {}); // the loop is gone
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  loop?.stop();
  server.close();
  await once(server, "close");
});

const port = () => (server.address() as AddressInfo).port;

/** Starts a loop; resolves once its first request has come. */
async function looped(answer: (socket: Socket) => void): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    onRequest = (socket) => {
      resolve();
      answer(socket);
    };
  });
  loop = new OpenLoop({ ...LOAD, port: port() });
  await asked;
}

describe("an open loop", () => {
  test("has an answer to each request when it has finished", async () => {
    await looped((socket) => socket.write(ANSWER));
    const { latenciesMs, statuses, unansweredMs } = await loop!.finish();
    expect(latenciesMs.length).toBeGreaterThan(0);
    expect(statuses).toEqual({ 200: latenciesMs.length });
    expect(unansweredMs).toBe(0);
  });

  test("says how long a request has had no answer", async () => {
    await looped(() => {});
    const first = await loop!.window();
    const second = await loop!.window();
    expect(first.latenciesMs).toEqual([]);
    expect(second.unansweredMs).toBeGreaterThan(first.unansweredMs);
  });

  test("counts requests that end with their connection", async () => {
    await looped((socket) => socket.destroy());
    const { statuses } = await loop!.finish();
    expect(statuses[0]).toBeGreaterThan(0);
  });

  test("has no figures where nothing is answered", async () => {
    onRequest = (socket) => socket.destroy();
    const run = {
      ...LOAD,
      port: port(),
      connections: 20,
      warmSeconds: 0,
      seconds: 0.05,
      status: 200,
    };
    await expect(runOpenLoop(run)).rejects.toThrow("no request of the open loop was answered");
  });

  test("measures latencies and counts other answers as failed", async () => {
    onRequest = (socket) => socket.write(ANSWER);
    const run = { ...LOAD, port: port(), warmSeconds: 0.05, seconds: 0.2 };
    const good = await runOpenLoop({ ...run, status: 200 });
    expect(good).toMatchObject({ failed: 0 });
    expect(good.max_ms).toBeGreaterThanOrEqual(good.p50_ms);
    const { failed, requests } = await runOpenLoop({ ...run, status: 304 });
    expect(failed).toBeGreaterThanOrEqual(requests);
  });
});
