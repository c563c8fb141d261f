/** The handler that tests of the socket adapter use, and the requests they send. */
import { errorReplies, type Reply } from "../../server/http/reply.ts";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import type { BodyUse, PendingResponse, HttpHandler } from "../../server/http/http-handler.ts";
import { type HttpRequest, requestIds } from "../../server/http/request.ts";
import { SharedBody } from "../../server/http/shared-body.ts";
import { listen } from "../../server/http/listen.ts";

const errorReply = errorReplies("http://docs.test");
const shared = new SharedBody(`{"data":"${"x".repeat(2000)}","meta":`);
const SUFFIX = "1}";

/** A reply that cannot be written. */
const BROKEN: Reply = {
  status: "200 OK",
  headers: "",
  get shared(): SharedBody {
    throw new Error("no body");
  },
};

/** A body of this many bytes, including its suffix. */
const sharedOf = (bytes: number) => new SharedBody("x".repeat(bytes - SUFFIX.length));

/**
 * Answers with what it read. `/later` answers in a later turn; `/body` collects the body, and so does a POST to `/later`;
 * `/shared?1000` answers with that many bytes; the answers of `/broken` and `/later/broken` cannot be written.
 */
export class EchoHandler implements HttpHandler {
  readonly paths = ["/known", "/body"];
  readonly handled: HttpRequest[] = [];
  readonly finished: (Reply | undefined)[] = [];
  readonly defects: unknown[] = [];
  pending: PendingResponse[] = [];

  handle(response: PendingResponse): void {
    const { request } = response;
    this.handled.push(request);
    if (request.path === "/broken") {
      response.send(BROKEN);
    } else if (request.path === "/later/broken") {
      setImmediate(() => response.send(BROKEN));
    } else if (request.path === "/later") {
      setImmediate(() => response.send(this.#reply(request)));
    } else if (request.bodyTooLarge) {
      response.send(errorReply({ code: "payload_too_large", message: "too large" }));
    } else if (request.path === "/never") {
      this.pending.push(response);
    } else if (request.path === "/shared") {
      const body = request.query === "" ? shared : sharedOf(Number(request.query));
      response.send({ status: "200 OK", headers: "", shared: body, suffix: SUFFIX });
    } else if (request.path === "/empty") {
      response.send({ status: "304 Not Modified", headers: '\r\nETag: W/"1"' });
    } else {
      response.send(this.#reply(request));
    }
  }

  #reply({ method, path, query, body }: HttpRequest): Reply {
    const seen = { method, path, query, body: body?.toString("latin1") ?? null };
    return { status: "200 OK", headers: "", body: JSON.stringify(seen), close: path === "/close" };
  }

  useOfBody({ method, path }: HttpRequest): BodyUse {
    if (method !== "POST") return "dropped";
    if (path.startsWith("/stream")) return "streamed";
    return ["/body", "/later"].includes(path) ? "whole" : "dropped";
  }

  badFraming(_request: HttpRequest, fault: string): Reply {
    return errorReply({ code: "invalid_parameter", message: fault });
  }

  unwantedBody(request: HttpRequest): Reply {
    return this.badFraming(request, "no body");
  }

  readonly newRequestId = requestIds("made");

  nowMs(): number {
    return 0;
  }

  defect(_request: HttpRequest, error: unknown): Reply {
    this.defects.push(error);
    return errorReply({ code: "internal_error", message: "a defect" });
  }

  over(_request: HttpRequest, reply: Reply | undefined): void {
    this.finished.push(reply);
  }
}

/**
 * A server for the tests of a file or for the running test, closed when they are over. Without that, a server that a
 * failed test left open would end the process, and its failure would not be reported.
 */
export async function listenForTest(handler: HttpHandler, limit?: Parameters<typeof listen>[3]) {
  const server = await listen("127.0.0.1", 0, () => handler, limit);
  const close = () => server.close();
  if (TestRunner.getCurrentTest()) onTestFinished(close);
  else afterAll(close);
  return server;
}
