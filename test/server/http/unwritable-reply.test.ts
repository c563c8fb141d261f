import { afterAll, beforeAll, expect, test } from "vitest";
import { listen, type HttpServer } from "../../../server/http/socket.ts";
import { EchoHandler, requestText } from "../../support/echo-handler.ts";
import { sendRaw } from "../../support/http-raw.ts";

const echo = new EchoHandler();
let server: HttpServer;
beforeAll(async () => {
  server = await listen("127.0.0.1", 0, () => echo);
});
afterAll(() => server.close());

// The library would end the process, and the tests with it.
test.each(["/broken", "/later/broken"])(
  "a reply that cannot be written ends its connection and nothing else: %s",
  async (path) => {
    const [defects, finished] = [echo.defects.length, echo.finished.length];
    const { responses, closed } = await sendRaw(server.port, requestText(`GET ${path}`));
    expect({ responses, closed }).toEqual({ responses: [], closed: true });
    expect(echo.defects.slice(defects)).toEqual([new Error("no body")]);
    expect(echo.finished.slice(finished)).toEqual([undefined]);
    const next = await sendRaw(server.port, requestText("GET /next"));
    expect(next.responses.map(({ status }) => status)).toEqual([200]);
    expect(server.inFlight()).toBe(0);
  },
);
