import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { BODY_MAX_BYTES } from "../../../server/http/request.ts";
import { EchoHandler, listenForTest } from "../../support/echo-handler.ts";
import { parseResponses, requestText, sendRaw } from "../../support/http-raw.ts";

const MEBIBYTE = 1024 * 1024;
const CHUNK_BYTES = 0x2000;
const CHUNK = `${CHUNK_BYTES.toString(16)}\r\n${"x".repeat(CHUNK_BYTES)}\r\n`;
const echo = new EchoHandler();
const server = await listenForTest(echo);

const NEXT = requestText("GET /next");

describe("a request", () => {
  test("is read whole: method, path and query as sent", async () => {
    const { responses, closed } = await sendRaw(
      server.port,
      requestText("GET /a%20b/../c?x=1&y=%31?z"),
    );
    expect(JSON.parse(responses[0]!.body)).toEqual({
      method: "GET",
      path: "/a%20b/../c",
      query: "x=1&y=%31?z",
      body: null,
    });
    expect(closed).toBe(false);
  });

  test("keeps the connection for the next one, in one packet or two", async () => {
    const both = await sendRaw(server.port, requestText("GET /1") + requestText("GET /2"), {
      responses: 2,
    });
    expect(both.responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/1", "/2"]);
    const apart = await sendRaw(server.port, [requestText("GET /1"), requestText("GET /2")], {
      responses: 2,
    });
    expect(apart.responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/1", "/2"]);
  });

  test("is answered in UTF-8", async () => {
    const url = `http://127.0.0.1:${server.port}/body`;
    const answer = await fetch(url, { method: "POST", body: Buffer.from("café · a", "latin1") });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(JSON.parse(bytes.toString())).toMatchObject({ body: "café · a" });
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
  });

  test("is answered in a later turn as well", async () => {
    const { responses } = await sendRaw(server.port, [requestText("GET /later"), NEXT], {
      responses: 2,
      lastAfter: 1,
    });
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  test.each<[string, string]>([
    ["GET", "/known"],
    ["POST", "/known"],
    ["PUT", "/known"],
    ["HEAD", "/known"],
    ["get", "/known"],
    ...["DELETE", "PATCH", "OPTIONS", "FOO"].map((method): [string, string] => [method, "/m"]),
    ["GET", "/known/"],
    ["GET", "//known"],
    ["GET", "/Known"],
    ["GET", "/kn%6Fwn"],
    ["GET", "/known/known"],
  ])(
    "is read as it was sent, also where the library knows the path: %s %s",
    async (method, path) => {
      const before = echo.handled.length;
      const head = method === "HEAD";
      await sendRaw(server.port, requestText(`${method} ${path}?a=1`), { head });
      const [seen] = echo.handled.slice(before);
      expect(seen).toMatchObject({ method, path, query: "a=1" });
    },
  );

  test("may have a long URL and many headers", async () => {
    const path = `/${"p".repeat(6000)}`;
    const headers = Array.from({ length: 60 }, (_, index) => `X-H-${index}: v`);
    const { responses } = await sendRaw(server.port, requestText(`GET ${path}`, headers));
    expect(JSON.parse(responses[0]!.body).path).toBe(path);
  });

  test("is over without a reply when its client leaves", async () => {
    const before = echo.finished.length;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(requestText("GET /never"));
    while (echo.pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.inFlight()).toBe(1);
    socket.destroy();
    while (server.inFlight() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(echo.finished.slice(before)).toEqual([undefined]);
    echo.pending.pop()!.send({ status: "200 OK", headers: "", body: "late" }); // has no effect
    expect(echo.finished).toHaveLength(before + 1);
  });
});

describe("a response", () => {
  test("carries its own headers, a date, and nothing of the library", async () => {
    const { responses } = await sendRaw(server.port, requestText("GET /x", ["X-Request-Id: abc"]));
    expect(Object.keys(responses[0]!.headers).sort()).toEqual([
      "content-length",
      "content-type",
      "date",
      "x-content-type-options",
      "x-request-id",
    ]);
    expect(responses[0]!.headers["x-request-id"]).toBe("abc");
    expect(responses[0]!.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test.each([
    [1023, undefined],
    [1024, "gzip"],
  ])("of %d bytes, to a client that takes gzip, is sent as %s", async (bytes, encoding) => {
    const asked = requestText(`GET /shared?${bytes}`, ["Accept-Encoding: gzip"]);
    const { responses } = await sendRaw(server.port, asked);
    expect(responses[0]!.headers["content-encoding"]).toBe(encoding);
  });

  test("of 304 has neither a body nor a length", async () => {
    const { text } = await sendRaw(server.port, requestText("GET /empty") + NEXT, { responses: 2 });
    const first = text.slice(0, text.indexOf("\r\n\r\n"));
    expect(first).toMatch(/^HTTP\/1\.1 304 Not Modified/);
    expect(first.toLowerCase()).not.toContain("content-length");
    expect(parseResponses(text)).toHaveLength(2);
  });

  test("to HEAD is not lost where the client asks to close and sends another request with it", async () => {
    const asked = requestText("HEAD /shared", ["Connection: close"]) + requestText("HEAD /shared");
    const { responses } = await sendRaw(server.port, asked, { responses: 2, head: true });
    expect(responses[0]!.status).toBe(200);
  });

  test.each([
    ["as sent by the reply", "GET /close", [], true],
    ["when the client asks", "GET /x", ["Connection: close"], true],
    ["in any case of the word", "GET /x", ["Connection: Close"], true],
    ["among other options", "GET /x", ["Connection: foo, close"], true],
    ["on a line of its own", "GET /x", ["Connection: close", "Connection: foo"], true],
    [
      "of an answer without its body, as the client asks",
      "HEAD /shared",
      ["Connection: close"],
      true,
    ],
    ["of an answer without its body", "HEAD /shared", ["Connection: foo, close"], true],
    ["of a reply's own will, without its body", "HEAD /close", [], true],
    ["but not for a word like it", "GET /x", ["Connection: closed"], false],
    ["not otherwise", "GET /x", [], false],
  ] as const)("closes the connection %s", async (_, line, headers, expected) => {
    const head = line.startsWith("HEAD");
    const { closed } = await sendRaw(server.port, requestText(line, headers), { head });
    expect(closed).toBe(expected);
  });

  test("without a body, after which the connection closes, carries `Connection: close` and a date", async () => {
    const { responses } = await sendRaw(server.port, requestText("HEAD /close"), { head: true });
    expect(responses[0]!.headers).toMatchObject({
      connection: "close",
      date: "Thu, 01 Jan 1970 00:00:00 GMT",
    });
  });

  test("without a body may be the last before the server is closed", async () => {
    const handler = new EchoHandler();
    const own = await listenForTest(handler);
    handler.over = () => own.close(); // before the turn in which the connection would be ended
    const { closed } = await sendRaw(own.port, requestText("HEAD /close"), { head: true });
    expect(closed).toBe(true);
  });
});

describe("a body", () => {
  const post = (length: number) =>
    requestText("POST /body", [`Content-Length: ${length}`], "x".repeat(length));

  test.each([0, 1, BODY_MAX_BYTES])("of %d bytes is collected", async (length) => {
    const { responses } = await sendRaw(server.port, post(length) + NEXT, { responses: 2 });
    expect(JSON.parse(responses[0]!.body).body).toBe("x".repeat(length));
    expect(responses[1]!.status).toBe(200);
  });

  test("may come in pieces and in chunks", async () => {
    const pieces = [
      requestText("POST /body", ["Transfer-Encoding: chunked"], "5\r\nhe"),
      "llo\r\n3\r\nabc\r\n0\r\n",
      "\r\n",
    ];
    const { responses } = await sendRaw(server.port, pieces);
    expect(JSON.parse(responses[0]!.body).body).toBe("helloabc");
  });

  test.each(["100-continue", "100-Continue", "100-CONTINUE"])(
    "is requested if the client waits for that: %s",
    async (expected) => {
      const head = requestText("POST /body", [`Expect: ${expected}`, "Content-Length: 5"]);
      const asked = await sendRaw(server.port, head, { limitMs: 100 });
      expect(asked.text, "before it comes").toBe("HTTP/1.1 100 Continue\r\n\r\n");
      const wanted = { responses: 3 };
      const { responses, text } = await sendRaw(server.port, [NEXT, head, "hello", NEXT], wanted);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(JSON.parse(responses[1]!.body).body).toBe("hello");
      expect(Object.keys(responses[1]!.headers)).toEqual(Object.keys(responses[0]!.headers));
      expect(text.match(/HTTP\/1\.1/g)).toHaveLength(4);
    },
  );

  test("that is waited for and too large is 413 at once", async () => {
    const length = `Content-Length: ${BODY_MAX_BYTES + 1}`;
    const head = requestText("POST /body", ["Expect: 100-Continue", length]);
    const { responses, text } = await sendRaw(server.port, head);
    expect(responses[0]!.status).toBe(413);
    expect(text).not.toContain("100 Continue");
  });

  test("that is too large is 413 before it has come, and the connection goes on", async () => {
    const head = requestText("POST /body", [`Content-Length: ${BODY_MAX_BYTES + 1}`]);
    const early = await sendRaw(server.port, head);
    expect(early.responses[0]!.status, "the body was never sent").toBe(413);
    const whole = await sendRaw(server.port, post(BODY_MAX_BYTES + 1) + NEXT, { responses: 2 });
    expect(whole.responses.map(({ status }) => status)).toEqual([413, 200]);
  });

  test.each([
    [MEBIBYTE, false],
    [MEBIBYTE + 1, true],
    [100_000_000, true],
  ])("of %d bytes is 413, and the end of the connection: %s", async (length, ends) => {
    const head = requestText("POST /body", [`Content-Length: ${length}`]);
    const { responses, closed } = await sendRaw(server.port, head);
    expect(responses[0]!.status).toBe(413);
    expect(closed).toBe(ends);
  });

  test("in chunks that are too many is 413 once they have all come", async () => {
    const head = requestText("POST /body", ["Transfer-Encoding: chunked"]);
    const pieces = [head, ...Array<string>(BODY_MAX_BYTES / CHUNK_BYTES + 1).fill(CHUNK)];
    const early = await sendRaw(server.port, pieces, { limitMs: 500 });
    expect(early.text, "a client that is cut off while it sends may not see why").toBe("");
    const { responses, closed } = await sendRaw(server.port, [...pieces, "0\r\n\r\n"]);
    expect(responses[0]!.status).toBe(413);
    expect(closed).toBe(true);
  });

  test("in chunks of more than a mebibyte is 413 before they have all come", async () => {
    const head = requestText("POST /body", ["Transfer-Encoding: chunked"]);
    const chunks = CHUNK.repeat(MEBIBYTE / CHUNK_BYTES + 1);
    const { responses, closed } = await sendRaw(server.port, head + chunks);
    expect(responses[0]!.status).toBe(413);
    expect(closed).toBe(true);
  });

  test("in chunks is handed on once, and waits for its answer once", async () => {
    const before = echo.handled.length;
    const head = requestText("POST /later", ["Transfer-Encoding: chunked"]);
    for (const chunks of [CHUNK, CHUNK.repeat(BODY_MAX_BYTES / CHUNK_BYTES + 1)]) {
      await sendRaw(server.port, `${head}${chunks}0\r\n\r\n`);
    }
    const seen = echo.handled.slice(before);
    expect(seen.map(({ bodyTooLarge }) => bodyTooLarge)).toEqual([false, true]);
    expect(server.inFlight()).toBe(0);
  });

  test("is read and dropped if it is not wanted", async () => {
    const unwanted = requestText("POST /other", ["Content-Length: 5"], "hello");
    const { responses } = await sendRaw(server.port, unwanted + NEXT, { responses: 2 });
    expect(responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/other", "/next"]);
  });
});
