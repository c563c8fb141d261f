import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { PendingResponse } from "../../../server/http/http-handler.ts";
import { IncomingBody } from "../../../server/http/incoming-body.ts";
import { BODY_MAX_BYTES } from "../../../server/http/request.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { requestText } from "../../support/http-raw.ts";

const CONNECTIONS = 20;
const MEBIBYTE = 1024 * 1024;

/** Answers nothing. */
class SilentHandler extends EchoHandler {
  override handle(response: PendingResponse): void {
    this.pending.push(response);
    if (this.pending.length === CONNECTIONS) this.onAll();
  }

  onAll = () => {};
}

test("a body is what came, in whatever pieces", () => {
  const text = Array.from({ length: 2000 }, (_, at) => String.fromCharCode(at % 256)).join("");
  const sent = Buffer.from(text, "latin1");
  for (const size of [1, 2, 3, 7, 100, 1999, 2000]) {
    const body = new IncomingBody(2000);
    for (let at = 0; at < sent.length; at += size) {
      const piece = Uint8Array.from(sent.subarray(at, at + size));
      body.add(piece.buffer);
      piece.fill(0); // it is the library's again
      body.add(new ArrayBuffer(0));
    }
    expect(Buffer.concat(body.parts ?? []).equals(sent), `in pieces of ${size}`).toBe(true);
  }
  expect(new IncomingBody(1).parts).toEqual([]);
});

test("a body in chunks of a byte takes little more memory than one in a piece", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const handler = new SilentHandler();
  const server = await listenForTest(handler);
  const haveCome = new Promise<void>((resolve) => {
    handler.onAll = resolve;
  });
  collect();
  const before = process.memoryUsage().heapUsed;
  const head = requestText("POST /body", ["Transfer-Encoding: chunked"]);
  const sent = `${head}${"1\r\nx\r\n".repeat(BODY_MAX_BYTES)}0\r\n\r\n`;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(sent));
    return socket.on("error", () => {});
  });
  await haveCome;
  collect();
  const grown = process.memoryUsage().heapUsed - before;
  for (const socket of sockets) socket.destroy();
  expect(grown, "1.4 MB a connection with an object for each chunk").toBeLessThan(4 * MEBIBYTE);
});
