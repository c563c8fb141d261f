/**
 * The socket adapter. It copies a request's head before anything is decided, because the library takes it back. It
 * refuses framing that cannot be trusted, collects a body if the handler wants one, and sends one reply. What the library
 * refuses before this code runs is in `docs/api.md`, "Connections".
 */
import type { BodyUse, PendingResponse, HttpHandler } from "./http-handler.ts";
import { askForBody, writeRefusal, writeReply } from "./write-reply.ts";
import {
  framingFault,
  hasUnwantedBody,
  BODY_MAX_BYTES,
  DROPPED_BODY_MAX_BYTES,
  HttpRequest,
  isChunked,
  STREAMED_BODY_MAX_BYTES,
  isRequestId,
} from "./request.ts";
import { IncomingBody, type BodyParts } from "./incoming-body.ts";
import type { Reply } from "./reply.ts";
import type { SendWatch } from "./backpressure.ts";

import type * as uWS from "uWebSockets.js";

const PROXIED = "a PROXY preamble is not expected here";

/**
 * Listens to the end of a request that is answered within its own turn. Without a listener, the library ends the process
 * when a client has reset the connection: it drops the body that it cannot send, and then finds the request unanswered.
 */
const mayBeDropped = () => {};

/** Reads the requests of a port and hands them to its handler. */
export class Listener {
  inFlight = 0;
  readonly watch: SendWatch = (change) => (this.inFlight += change);
  readonly handler: HttpHandler;
  /** The request whose headers are being read. It is kept here so that one callback serves all requests. */
  #reading = new HttpRequest();
  readonly #takeHeader = (name: string, value: string) => this.#reading.addHeader(name, value);
  readonly #expectsProxy: boolean;

  constructor(handler: HttpHandler, expectsProxy: boolean, app: uWS.TemplatedApp) {
    this.handler = handler;
    this.#expectsProxy = expectsProxy;
    for (const path of handler.paths) {
      app.get(path, (res, req) => this.#onRequest(res, req, "GET", path));
      app.post(path, (res, req) => this.#onRequest(res, req, "POST", path));
    }
    app.any("/*", (res, req) =>
      this.#onRequest(res, req, req.getCaseSensitiveMethod(), req.getUrl()),
    );
  }

  /**
   * Whether the connection came with a PROXY preamble that is not expected. The library takes one from anybody. It does
   * not report one without an address, which changes nothing.
   */
  #isProxied(res: uWS.HttpResponse): boolean {
    return !this.#expectsProxy && res.getProxiedRemoteAddress().byteLength > 0;
  }

  #onRequest(res: uWS.HttpResponse, req: uWS.HttpRequest, method: string, path: string): void {
    const request = new HttpRequest();
    const response = new SocketResponse(this, res, request);
    try {
      request.method = method;
      request.path = path;
      request.query = req.getQuery() ?? "";
      this.#reading = request;
      req.forEach(this.#takeHeader);
      if (!isRequestId(request.id)) request.id = this.handler.newRequestId();
      request.nowMs = this.handler.nowMs();
      const fault = this.#isProxied(res) ? PROXIED : framingFault(request);
      if (fault !== undefined) response.refuse(this.handler.badFraming(request, fault));
      else if (hasUnwantedBody(request)) response.refuse(this.handler.unwantedBody(request));
      else response.take(this.handler.useOfBody(request));
    } catch (error) {
      response.fail(error);
    }
  }
}

/** One response. The library ends the process if a callback throws or leaves a request without an answer: see `fail`. */
class SocketResponse implements PendingResponse {
  readonly request: HttpRequest;
  open = true;
  readonly #listener: Listener;
  readonly #res: uWS.HttpResponse;
  #stream: IncomingBody | undefined;
  #onGone: (() => void) | undefined;
  /** Whether the request's own turn of the event loop is over. Until then the library gathers writes; later `cork` does. */
  #deferred = false;

  constructor(listener: Listener, res: uWS.HttpResponse, request: HttpRequest) {
    this.#listener = listener;
    this.#res = res;
    this.request = request;
  }

  get address(): string {
    if (!this.open) return "";
    const proxied = this.#res.getProxiedRemoteAddressAsText();
    const bytes = proxied.byteLength > 0 ? proxied : this.#res.getRemoteAddressAsText();
    return Buffer.from(bytes).toString("latin1");
  }

  take(use: BodyUse): void {
    if (use === "streamed") {
      this.#streamBody();
    } else if (use === "whole" || isChunked(this.request)) {
      this.#collectBody();
    } else {
      this.#listener.handler.handle(this);
      if (this.open) this.#defer();
    }
  }

  async body(take: (bytes: number) => void): Promise<BodyParts> {
    const stream = this.#stream!; // only handlers of streamed bodies call it
    stream.watch(take);
    return await stream.whole;
  }

  onGone(call: () => void): void {
    this.#onGone = call;
  }

  send(reply: Reply): void {
    this.#end(reply, writeReply);
  }

  refuse(reply: Reply): void {
    this.#end(reply, writeRefusal);
  }

  /** Answers a defect. The connection ends, because its request may not have been read completely. */
  fail(error: unknown): void {
    const reply = this.#listener.handler.defect(this.request, error);
    this.send({ ...reply, close: true });
  }

  #end(reply: Reply, write: typeof writeReply): void {
    if (!this.open) return;
    this.open = false;
    this.#stream?.drop();
    let isWritten = false;
    if (this.#deferred) {
      this.#listener.inFlight--;
      this.#res.cork(() => {
        isWritten = this.#isWritten(reply, write);
      });
    } else {
      this.#res.onAborted(mayBeDropped);
      isWritten = this.#isWritten(reply, write);
    }
    this.#over(isWritten ? reply : undefined);
  }

  /** Writes a reply. If that fails, the connection is closed before any of it is sent. */
  #isWritten(reply: Reply, write: typeof writeReply): boolean {
    try {
      write(this.#res, this.request, reply, this.#listener.watch);
      return true;
    } catch (error) {
      this.#res.close();
      this.#listener.handler.defect(this.request, error);
      return false;
    }
  }

  #over(reply: Reply | undefined): void {
    const { handler } = this.#listener;
    try {
      handler.over(this.request, reply);
    } catch (error) {
      handler.defect(this.request, error);
    }
  }

  #defer(): void {
    this.#deferred = true;
    this.#listener.inFlight++;
    this.#res.onAborted(() => {
      if (!this.open) return;
      this.open = false;
      this.#listener.inFlight--;
      this.#stream?.drop();
      this.#onGone?.();
      this.#over(undefined);
    });
  }

  /**
   * Reads the body, and hands the request on once it is whole or known to be too long. A chunked body that is too long is
   * read to its end if that comes soon: the answer ends the connection, and a client that is cut off while it sends may
   * never see it. After chunks the request is handed on a turn later. If the library has read another request from the
   * same bytes by then, it has closed the connection, and nothing is done for a request whose end is not certain.
   */
  #collectBody(): void {
    this.#defer();
    if (Number(this.request.contentLength) > BODY_MAX_BYTES) {
      this.#handOn(undefined);
      return;
    }
    askForBody(this.#res, this.request);
    const body = new IncomingBody(BODY_MAX_BYTES);
    let collecting = true;
    this.#res.onData((chunk, isLast) => {
      if (!collecting) return;
      body.add(chunk);
      collecting = body.bytes <= DROPPED_BODY_MAX_BYTES && !isLast;
      if (collecting) return;
      const whole = body.parts && Buffer.concat(body.parts);
      if (isChunked(this.request)) setImmediate(() => this.open && this.#handOn(whole));
      else this.#handOn(whole);
    });
  }

  /**
   * Hands the request on while its body is still read. What is left of it once the request is answered is read and
   * dropped, unless it is longer than allowed. After chunks the end of the body waits a turn: see `#collectBody`.
   */
  #streamBody(): void {
    this.#defer();
    const { request } = this;
    const announced = Number(request.contentLength);
    request.bodyTooLarge = announced > STREAMED_BODY_MAX_BYTES;
    const stream = new IncomingBody(STREAMED_BODY_MAX_BYTES, announced);
    this.#stream = stream;
    if (!request.bodyTooLarge) askForBody(this.#res, request);
    this.#res.onData((chunk, isLast) => {
      stream.add(chunk);
      if (!isLast) return;
      if (isChunked(request)) setImmediate(() => this.open && stream.end());
      else stream.end();
    });
    this.#handle();
  }

  #handOn(body: Buffer | undefined): void {
    this.request.body = body;
    this.request.bodyTooLarge = body === undefined;
    this.#handle();
  }

  #handle(): void {
    try {
      this.#listener.handler.handle(this);
    } catch (error) {
      this.fail(error);
    }
  }
}
