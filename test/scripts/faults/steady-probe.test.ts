import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type * as Probe from "../../../scripts/faults/steady-probe-process.ts";
import { builtScript } from "../../support/built-script.ts";

// As it is built, because it starts a script that lies beside it.
const { SteadyProbe } = (await import(builtScript("faults/steady-probe-process"))) as typeof Probe;

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

let server: Server;
let probe: Probe.SteadyProbe;
let onRequest: (socket: Socket) => void;

beforeEach(async () => {
  server = createServer((socket) => {
    socket.on("data", () => onRequest(socket));
    socket.on("error", () => {}); // the probe is gone
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  probe.stop();
  server.close();
  await once(server, "close");
});

/** Starts a probe; resolves once its first request has come. */
async function probed(answer: (socket: Socket) => void): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    onRequest = (socket) => {
      resolve();
      answer(socket);
    };
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  probe = new SteadyProbe({ port, path: "/", key: "", perSecond: 200, connections: 2 });
  await asked;
}

describe("a steady probe", () => {
  test("has an answer to each request when it has finished", async () => {
    await probed((socket) => socket.write(ANSWER));
    const { latenciesMs, statuses, unansweredMs } = await probe.finish();
    expect(latenciesMs.length).toBeGreaterThan(0);
    expect(statuses).toEqual({ 200: latenciesMs.length });
    expect(unansweredMs).toBe(0);
  });

  test("says how long a request has had no answer", async () => {
    await probed(() => {});
    const first = await probe.window();
    const second = await probe.window();
    expect(first.latenciesMs).toEqual([]);
    expect(second.unansweredMs).toBeGreaterThan(first.unansweredMs);
  });

  test("fails if the server closes a connection", async () => {
    await probed((socket) => socket.end());
    await expect(probe.finish()).rejects.toThrow("ended by itself");
  });
});
