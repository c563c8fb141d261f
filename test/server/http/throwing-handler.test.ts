import { expect, test } from "vitest";
import type { HttpHandler } from "../../../server/http/http-handler.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { requestText, sendRaw } from "../../support/http-raw.ts";

const DEFECT = new Error("a defect");
const throwing = () => {
  throw DEFECT;
};

/** What the server answers to a request, and to another one after it, when a step of its handler throws. */
async function answers(broken: Partial<HttpHandler>, request: string) {
  const echo = new EchoHandler();
  const parts = { ...broken };
  const server = await listenForTest(Object.assign(echo, parts));
  const { responses, closed } = await sendRaw(server.port, request);
  for (const part of Object.keys(parts)) Reflect.deleteProperty(echo, part);
  const next = await sendRaw(server.port, requestText("GET /next"));
  return {
    status: responses[0]?.status,
    closed,
    defects: echo.defects,
    over: echo.finished.length,
    next: next.responses[0]?.status,
    inFlight: server.inFlight(),
  };
}

const GET = requestText("GET /any");
const POST = requestText("POST /body", ["Content-Length: 2"], "{}");
const MISFRAMED = requestText("GET /any", ["Content-Length: 2"], "{}");

// The library would end the process, and the tests with it.
test.each<[string, Partial<HttpHandler>, string]>([
  ["the start of a request", { nowMs: throwing }, GET],
  ["the choice whether to read a body", { useOfBody: throwing }, POST],
  ["the handler", { handle: throwing }, GET],
  ["the handler, after a body", { handle: throwing }, POST],
  ["the reply to bad framing", { badFraming: throwing }, MISFRAMED],
])("a defect in %s is 500 and ends its connection and nothing else", async (_, broken, request) => {
  expect(await answers(broken, request)).toEqual({
    status: 500,
    closed: true,
    defects: [DEFECT],
    over: 2,
    next: 200,
    inFlight: 0,
  });
});

test.each([GET, POST, requestText("GET /later")])(
  "a defect after the answer is logged and changes nothing: %s",
  async (request) => {
    const { status, defects, next, inFlight } = await answers({ over: throwing }, request);
    expect({ status, defects, next, inFlight }).toEqual({
      status: 200,
      defects: [DEFECT],
      next: 200,
      inFlight: 0,
    });
  },
);

test("a defect behind a request whose client has gone is logged", async () => {
  const echo = Object.assign(new EchoHandler(), { over: throwing });
  const server = await listenForTest(echo);
  await sendRaw(server.port, requestText("GET /never"), { limitMs: 100 });
  await expect.poll(() => echo.defects).toEqual([DEFECT]);
  expect(server.inFlight()).toBe(0);
});
