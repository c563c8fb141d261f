import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { requestText, sendRaw } from "../../support/http-raw.ts";

/** Its client resets the connection once the server has read a request, before it answers. */
class ResetHandler extends EchoHandler {
  client: Socket | undefined;

  override handle(response: Parameters<EchoHandler["handle"]>[0]): void {
    this.client?.resetAndDestroy();
    this.client = undefined;
    super.handle(response);
  }
}

const handler = new ResetHandler();
const server = await listenForTest(handler);

describe("a connection that is reset between its request and the answer", () => {
  // The library would end the process, and the tests with it.
  test.each([
    ["a long answer", requestText("GET /shared?100000")],
    ["the last answer", requestText("GET /shared?100000", ["Connection: close"])],
    ["a compressed answer", requestText("GET /shared?100000", ["Accept-Encoding: gzip"])],
    ["many short answers", requestText("GET /shared?2000").repeat(50)],
    ["many answers without a body", requestText("GET /empty").repeat(200)],
    ["an answer of a later turn", requestText("GET /later")],
  ])("ends no process: %s", async (_, text) => {
    const client = connect(server.port, "127.0.0.1");
    client.on("error", () => {});
    handler.client = client;
    client.write(text);
    await once(client, "close");
    const { responses } = await sendRaw(server.port, requestText("GET /next"));
    expect(responses.map(({ status }) => status)).toEqual([200]);
    while (server.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.inFlight()).toBe(0);
  });
});
