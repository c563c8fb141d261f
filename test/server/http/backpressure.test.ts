import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Reply } from "../../../server/http/reply.ts";
import type { BodyPrefix } from "../../../server/http/shared-body.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { requestText } from "../../support/http-raw.ts";

const MEGABYTE = 1024 * 1024;
/** More than the kernel takes for an unread connection, on any machine. */
const LONGER_THAN_SOCKETS = 48 * MEGABYTE;
const REQUESTS = 500;

/** `/long` answers more than a connection takes, `/page` a fifth of a megabyte, `/short` a kilobyte. */
class LongHandler extends EchoHandler {
  answered = 0;
  readonly #bodies: Record<string, Buffer> = {
    "/long": Buffer.alloc(LONGER_THAN_SOCKETS, "0123456789abcdefghijklmnopq"),
    "/page": Buffer.alloc(MEGABYTE / 5, "p"),
    "/short": Buffer.alloc(1024, "s"),
  };

  override handle(response: Parameters<EchoHandler["handle"]>[0]): void {
    const body = this.#bodies[response.request.path];
    if (body === undefined) throw new Error(`no body for ${response.request.path}`);
    this.answered += 1;
    response.send({ status: "200 OK", headers: "", shared: sharing(body) } satisfies Reply);
    if (response.request.path === "/long") body.fill("?"); // the memory is shared
  }
}

/** A body in memory that other answers use as well. */
function sharing(body: Buffer): BodyPrefix {
  const compress = () => Promise.resolve();
  return {
    prefixBytes: body.length,
    plain: () => body,
    gzip: () => body,
    isCompressed: true,
    compress,
  };
}

const handler = new LongHandler();
const server = await listenForTest(handler);

/** Sends text and reads nothing until `resume` is called. */
async function silent(text: string): Promise<Socket> {
  const connection = connect(server.port, "127.0.0.1").pause();
  onTestFinished(() => void connection.destroy());
  connection.on("error", () => {}); // the server ends it
  await new Promise<void>((resolve) => connection.write(text, () => resolve()));
  return connection;
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("an answer that its client does not read", () => {
  test("waits for it, counts as in flight, and arrives whole", async () => {
    const connection = await silent(requestText("GET /long"));
    while (server.inFlight() === 0) await turn();
    let bytes = 0;
    let foreign = 0;
    connection.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (chunk.includes("?")) foreign += 1;
    });
    connection.resume();
    while (server.inFlight() > 0) await turn();
    const isWhole = () => bytes >= LONGER_THAN_SOCKETS;
    while (!isWhole()) await turn();
    expect(foreign, "bytes of another answer").toBe(0);
  });

  test("is forgotten when its client leaves", async () => {
    const connection = await silent(requestText("GET /long"));
    while (server.inFlight() === 0) await turn();
    connection.destroy();
    while (server.inFlight() > 0) await turn();
    expect(server.inFlight()).toBe(0);
  });

  test.each([
    ["long ones", "GET /page", REQUESTS],
    ["many short ones", "GET /short", 40 * REQUESTS],
    ["very many without a body", "HEAD /short", 400 * REQUESTS],
  ] as const)("is the last of its connection: %s", async (_, line, requests) => {
    const before = handler.answered;
    const answered = () => handler.answered - before;
    const connection = await silent("");
    const packet = requestText(line).repeat(REQUESTS);
    // A packet at a time: a request line that is cut would end the connection too.
    for (let sent = 0; sent < requests && server.connections() > 0; sent += REQUESTS) {
      connection.write(packet);
      while (answered() < sent + REQUESTS && server.connections() > 0) await turn();
    }
    expect(answered()).toBeLessThan(requests);
    expect(server.connections()).toBe(0);
    expect(server.inFlight()).toBe(0);
  });

  test("says that it is the last, where it has no body and its client reads", async () => {
    const connection = await silent("");
    const closed = new Promise((resolve) => connection.once("close", resolve));
    const texts: string[] = [];
    connection.on("data", (chunk: Buffer) => {
      texts.push(chunk.toString("latin1"));
      connection.write(requestText("HEAD /short"));
    });
    connection.write(requestText("HEAD /short"));
    connection.resume();
    await closed;
    expect(texts.filter((text) => text.includes("Connection: close"))).toEqual([texts.at(-1)]);
  });
});
