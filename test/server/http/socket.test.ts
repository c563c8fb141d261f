import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorReplies } from "../../../server/http/error-replies.ts";
import type { Exchange, HttpHandler } from "../../../server/http/exchange.ts";
import type { Reply } from "../../../server/http/reply.ts";
import type { HttpRequest } from "../../../server/http/request.ts";
import { RequestIds } from "../../../server/http/request-id.ts";
import { SharedBody } from "../../../server/http/shared-body.ts";
import { BODY_MAX_BYTES, listen, type HttpServer } from "../../../server/http/socket.ts";
import { parseResponses, sendRaw } from "../../support/http-raw.ts";

const errorReply = errorReplies("http://docs.test");
const shared = new SharedBody(`{"data":"${"x".repeat(2000)}","meta":`);

/** Says what it read; `/later` answers in a later turn, `/body` collects. */
class Echo implements HttpHandler {
  readonly handled: HttpRequest[] = [];
  readonly finished: (Reply | undefined)[] = [];
  pending: Exchange[] = [];

  handle(exchange: Exchange): void {
    const { request } = exchange;
    this.handled.push(request);
    if (request.bodyTooLarge) {
      exchange.send(errorReply({ code: "payload_too_large", message: "too large" }));
    } else if (request.path === "/later") {
      setImmediate(() => exchange.send(this.#reply(request)));
    } else if (request.path === "/never") {
      this.pending.push(exchange);
    } else if (request.path === "/shared") {
      exchange.send({ status: "200 OK", headers: "", shared, tail: "1}" });
    } else if (request.path === "/empty") {
      exchange.send({ status: "304 Not Modified", headers: '\r\nETag: W/"1"' });
    } else {
      exchange.send(this.#reply(request));
    }
  }

  #reply({ method, path, query, body }: HttpRequest): Reply {
    const seen = { method, path, query, body: body?.toString("latin1") ?? null };
    return { status: "200 OK", headers: "", body: JSON.stringify(seen), close: path === "/close" };
  }

  wantsBody(request: HttpRequest): boolean {
    return request.method === "POST" && request.path === "/body";
  }

  badFraming(_request: HttpRequest, fault: string): Reply {
    return errorReply({ code: "invalid_parameter", message: fault });
  }

  readonly requestIds = new RequestIds("made");

  nowMs(): number {
    return 0;
  }

  over(_request: HttpRequest, reply: Reply | undefined): void {
    this.finished.push(reply);
  }
}

const echo = new Echo();
let server: HttpServer;
beforeAll(async () => {
  server = await listen("127.0.0.1", 0, () => echo);
});
afterAll(() => server.close());

const request = (line: string, headers: readonly string[] = [], body = "") =>
  [`${line} HTTP/1.1`, "Host: test.example", ...headers, "", body].join("\r\n");

const NEXT = request("GET /next");

describe("a request", () => {
  test("is read whole: method, path and query as sent", async () => {
    const { responses, closed } = await sendRaw(
      server.port,
      request("GET /a%20b/../c?x=1&y=%31?z"),
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
    const both = await sendRaw(server.port, request("GET /1") + request("GET /2"), {
      responses: 2,
    });
    expect(both.responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/1", "/2"]);
    const apart = await sendRaw(server.port, [request("GET /1"), request("GET /2")], {
      responses: 2,
    });
    expect(apart.responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/1", "/2"]);
  });

  test("is answered in a later turn as well", async () => {
    const { responses } = await sendRaw(server.port, [request("GET /later"), NEXT], {
      responses: 2,
    });
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  test.each(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "FOO"])(
    "reaches the handler as %s",
    async (method) => {
      const before = echo.handled.length;
      await sendRaw(server.port, request(`${method} /m`), { head: method === "HEAD" });
      expect(echo.handled.slice(before).map((seen) => seen.method)).toEqual([method]);
    },
  );

  test("may have a long URL and many headers", async () => {
    const path = `/${"p".repeat(6000)}`;
    const headers = Array.from({ length: 60 }, (_, index) => `X-H-${index}: v`);
    const { responses } = await sendRaw(server.port, request(`GET ${path}`, headers));
    expect(JSON.parse(responses[0]!.body).path).toBe(path);
  });

  test("is over without a reply when its client leaves", async () => {
    const before = echo.finished.length;
    const socket = connect(server.port, "127.0.0.1");
    socket.write(request("GET /never"));
    while (echo.pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(server.inFlight()).toBe(1);
    socket.destroy();
    while (server.inFlight() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(echo.finished.slice(before)).toEqual([undefined]);
    echo.pending.pop()!.send({ status: "200 OK", headers: "", body: "late" }); // does nothing
    expect(echo.finished).toHaveLength(before + 1);
  });
});

describe("a response", () => {
  test("carries its own headers, a date, and nothing of the library", async () => {
    const { responses } = await sendRaw(server.port, request("GET /x", ["X-Request-Id: abc"]));
    expect(Object.keys(responses[0]!.headers).sort()).toEqual(
      ["content-length", "content-type", "date", "x-request-id"].sort(),
    );
    expect(responses[0]!.headers["x-request-id"]).toBe("abc");
    expect(responses[0]!.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("to HEAD has the headers of GET and no body", async () => {
    const get = await sendRaw(server.port, request("GET /shared", ["X-Request-Id: a"]));
    const asked = request("HEAD /shared", ["X-Request-Id: a"]);
    const head = await sendRaw(server.port, asked + asked, {
      responses: 2,
      head: true,
    });
    const { date: _, ...expected } = get.responses[0]!.headers;
    for (const { headers } of head.responses) {
      const { date: __, ...got } = headers;
      expect(got).toEqual(expected);
    }
    expect(head.text.endsWith("\r\n\r\n"), "no body").toBe(true);
  });

  test("of 304 has neither a body nor a length", async () => {
    const { text } = await sendRaw(server.port, request("GET /empty") + NEXT, { responses: 2 });
    const first = text.slice(0, text.indexOf("\r\n\r\n"));
    expect(first).toMatch(/^HTTP\/1\.1 304 Not Modified/);
    expect(first.toLowerCase()).not.toContain("content-length");
    expect(parseResponses(text)).toHaveLength(2);
  });

  test.each([
    ["as sent by the reply", "GET /close", [], true],
    ["when the client asks", "GET /x", ["Connection: close"], true],
    ["not otherwise", "GET /x", [], false],
  ] as const)("closes the connection %s", async (_, line, headers, expected) => {
    const { closed } = await sendRaw(server.port, request(line, headers));
    expect(closed).toBe(expected);
  });
});

describe("framing that cannot be trusted", () => {
  const CASES: [name: string, method: string, headers: string[], body: string][] = [
    ["two hosts", "GET", ["Host: other.example"], ""],
    ["two equal lengths", "GET", ["Content-Length: 0", "Content-Length: 0"], ""],
    ["two different lengths", "POST", ["Content-Length: 5", "Content-Length: 6"], "hello!"],
    ["an empty length", "POST", ["Content-Length:"], ""],
    ["a length with a sign", "POST", ["Content-Length: +5"], "hello"],
    ["a negative length", "POST", ["Content-Length: -1"], ""],
    ["a length with a unit", "POST", ["Content-Length: 5x"], "hello"],
    ["a hexadecimal length", "POST", ["Content-Length: 0x5"], "hello"],
    ["a list of lengths", "POST", ["Content-Length: 5, 5"], "hello"],
    ["a fractional length", "POST", ["Content-Length: 5.0"], "hello"],
    ["a length beyond all bounds", "POST", ["Content-Length: 99999999999999999999"], ""],
    ["an unknown coding", "POST", ["Transfer-Encoding: gzip"], "hello"],
    ["identity", "POST", ["Transfer-Encoding: identity"], "hello"],
    ["an empty coding", "POST", ["Transfer-Encoding:"], "hello"],
    ["a coding in front of chunked", "POST", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"],
    ["a coding behind chunked", "POST", ["Transfer-Encoding: chunked, gzip"], "0\r\n\r\n"],
    [
      "chunked twice",
      "POST",
      ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
      "0\r\n\r\n",
    ],
    ["an odd spelling", "POST", ["Transfer-Encoding: xchunked"], "0\r\n\r\n"],
    [
      "an empty length and chunked",
      "POST",
      ["Content-Length:", "Transfer-Encoding: chunked"],
      "0\r\n\r\n",
    ],
    ["a body on GET", "GET", ["Content-Length: 5"], "hello"],
    ["a chunked body on GET", "GET", ["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n"],
    ["a body on HEAD", "HEAD", ["Content-Length: 5"], "hello"],
  ];

  test.each(CASES)("%s is 400, and nothing behind it is read", async (_, method, headers, body) => {
    const before = echo.handled.length;
    const sent = request(`${method} /body`, headers, body) + NEXT;
    const { responses, closed, text } = await sendRaw(server.port, sent, { responses: 0 });
    expect(closed).toBe(true);
    expect(
      responses.map(({ status }) => status),
      `of ${text.slice(0, 300)}`,
    ).toEqual([400]);
    expect(JSON.parse(responses[0]!.body).error.code).toBe("invalid_parameter");
    expect(responses[0]!.headers["connection"]).toBe("close");
    expect(responses[0]!.headers["x-request-id"]).toMatch(/^made-[0-9a-z]+$/);
    expect(echo.handled.length, "the handler saw none of it").toBe(before);
  });

  test("both framings at once is 400: the library itself says so", async () => {
    const headers = ["Content-Length: 5", "Transfer-Encoding: chunked"];
    const sent = request("POST /body", headers, "0\r\n\r\n") + NEXT;
    const before = echo.handled.length;
    const { text, closed } = await sendRaw(server.port, sent, { responses: 0 });
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(closed).toBe(true);
    expect(echo.handled.length).toBe(before);
  });

  test("does not harm the request in front of it", async () => {
    const bad = request("GET /x", ["Content-Length: 5"], "hello");
    const { responses } = await sendRaw(server.port, request("GET /1") + bad + NEXT, {
      responses: 0,
    });
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
  });

  test("a length of 0 on GET, any case of chunked and surrounding blanks are fine", async () => {
    const chunked = (coding: string) =>
      request("POST /body", [`Transfer-Encoding: ${coding}`], "5\r\nhello\r\n0\r\n\r\n");
    const sent =
      request("GET /x", ["Content-Length: 0"]) + chunked("Chunked") + chunked("  chunked  ");
    const { responses } = await sendRaw(server.port, sent, { responses: 3 });
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.parse(responses[1]!.body).body).toBe("hello");
  });
});

describe("what the library refuses by itself", () => {
  test.each([
    ["HTTP/1.0", "GET /x HTTP/1.0\r\nHost: a\r\n\r\n", 505],
    ["a target that is no path", "GET http://a/x HTTP/1.1\r\nHost: a\r\n\r\n", 505],
    ["a blank in the target", "GET /x y HTTP/1.1\r\nHost: a\r\n\r\n", 505],
    ["no host", "GET /x HTTP/1.1\r\nAccept: */*\r\nX-Some: header\r\n\r\n", 400],
    ["bytes that are no HTTP", "\x16\x03\x01\x00\x00\r\n\r\n", 505],
  ])("%s", async (_, sent, status) => {
    const { text, closed } = await sendRaw(server.port, sent, { responses: 0 });
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(closed).toBe(true);
  });
});

describe("a body", () => {
  const post = (length: number) =>
    request("POST /body", [`Content-Length: ${length}`], "x".repeat(length));

  test.each([0, 1, BODY_MAX_BYTES])("of %d bytes is collected", async (length) => {
    const { responses } = await sendRaw(server.port, post(length) + NEXT, { responses: 2 });
    expect(JSON.parse(responses[0]!.body).body).toBe("x".repeat(length));
    expect(responses[1]!.status).toBe(200);
  });

  test("may come in pieces and in chunks", async () => {
    const pieces = [
      request("POST /body", ["Transfer-Encoding: chunked"], "5\r\nhe"),
      "llo\r\n3\r\nabc\r\n0\r\n",
      "\r\n",
    ];
    const { responses } = await sendRaw(server.port, pieces);
    expect(JSON.parse(responses[0]!.body).body).toBe("helloabc");
  });

  test("is asked for where the client waits to be asked", async () => {
    const head = request("POST /body", ["Expect: 100-continue", "Content-Length: 5"]);
    const { responses, text } = await sendRaw(server.port, [head, "hello"]);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(JSON.parse(responses[0]!.body).body).toBe("hello");
  });

  test("that is too large is 413 before it has come, and the connection goes on", async () => {
    const head = request("POST /body", [`Content-Length: ${BODY_MAX_BYTES + 1}`]);
    const early = await sendRaw(server.port, head);
    expect(early.responses[0]!.status, "the body was never sent").toBe(413);
    const whole = await sendRaw(server.port, post(BODY_MAX_BYTES + 1) + NEXT, { responses: 2 });
    expect(whole.responses.map(({ status }) => status)).toEqual([413, 200]);
  });

  test("that is far too large is 413 and the end of the connection", async () => {
    const head = request("POST /body", ["Content-Length: 100000000"]);
    const { responses, closed } = await sendRaw(server.port, head);
    expect(responses[0]!.status).toBe(413);
    expect(closed).toBe(true);
  });

  test("in chunks is 413 as soon as they are too many", async () => {
    const chunk = `2000\r\n${"x".repeat(0x2000)}\r\n`;
    const head = request("POST /body", ["Transfer-Encoding: chunked"]);
    const { responses, closed } = await sendRaw(server.port, [head, chunk, chunk, chunk]);
    expect(responses[0]!.status).toBe(413);
    expect(closed).toBe(true);
  });

  test("that nobody wants is read and dropped", async () => {
    const unwanted = request("POST /other", ["Content-Length: 5"], "hello");
    const { responses } = await sendRaw(server.port, unwanted + NEXT, { responses: 2 });
    expect(responses.map(({ body }) => JSON.parse(body).path)).toEqual(["/other", "/next"]);
  });
});

test("a port in use is refused in plain words", async () => {
  await expect(listen("127.0.0.1", server.port, () => echo)).rejects.toThrow(
    `cannot listen on 127.0.0.1:${server.port}: the port is in use`,
  );
  await expect(listen("203.0.113.1", 0, () => echo)).rejects.toThrow("not one of this machine");
});
