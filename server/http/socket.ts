/**
 * The socket adapter. It copies a request's head before anything is decided, because the library takes it back. It
 * refuses framing that cannot be trusted, collects a body if the handler wants one, and sends one reply, which
 * `write-reply.ts` writes. What the library refuses before this code sees it is in `docs/api.md`, "Connections".
 */
import type * as uWS from "uWebSockets.js";
import type { BodyUse, PendingResponse, HttpHandler } from "./http-handler.ts";
import { askForBody } from "./expect-continue.ts";
import { framingFault, hasUnwantedBody } from "./framing.ts";
import { IncomingBody, type BodyParts } from "./incoming-body.ts";
import type { Reply } from "./reply.ts";
import {
  BODY_MAX_BYTES,
  DROPPED_BODY_MAX_BYTES,
  HttpRequest,
  isChunked,
  STREAMED_BODY_MAX_BYTES,
} from "./request.ts";
import { cannotListen, type ListenOptions } from "./listen-options.ts";
import { library } from "./socket-library.ts";
import { isRequestId } from "./request-id.ts";
import type { SendWatch } from "./backpressure.ts";
import { writeRefusal, writeReply } from "./write-reply.ts";

/** By default a port is not shared: a second server must fail instead of taking half of the connections. */
const EXCLUSIVE_PORT = 1;
/** Processes that all set this share a port; the kernel spreads connections over them (SO_REUSEPORT). */
const SHARED_PORT = 0;

const PROXIED = "a PROXY preamble is not expected here";

export interface HttpServer {
  readonly port: number;
  /** How many requests wait for their answer, and how many long answers wait for their clients to take them. */
  inFlight(): number;
  /** How many connections are open. */
  connections(): number;
  /** Takes no new connection. */
  stopAccepting(): void;
  /** Ends every connection. */
  close(): void;
}

/** Listens, and answers with the handler made for the port it got. Rejects if it cannot have the address. */
export function listen(
  host: string,
  port: number,
  handlerFor: (port: number) => HttpHandler,
  {
    sharePort = false,
    expectsProxy = false,
    connectionsMax = Infinity,
    onTooMany,
  }: ListenOptions = {},
): Promise<HttpServer> {
  // Without this every response has a "uWebSockets" header. It is undocumented, and there is no other way.
  (Reflect.get(library, "_cfg") as (option: string) => void)("silent");
  const app = library.App();
  let listener: Listener;
  let connections = 0;
  app.filter((res, change) => {
    connections += Number(change);
    if (connections <= connectionsMax || Number(change) < 0) return;
    res.close(); // which calls this again, with -1
    onTooMany?.();
  });
  app.any("/*", (res, req) =>
    listener.onRequest(res, req, req.getCaseSensitiveMethod(), req.getUrl()),
  );
  // The library's types leave out the form with a host and an option.
  const listenOn = app.listen.bind(app) as unknown as ListenOn;
  return new Promise((resolve, reject) => {
    listenOn(host, port, sharePort ? SHARED_PORT : EXCLUSIVE_PORT, (socket) => {
      if (socket === false) {
        reject(cannotListen(host, port, sharePort));
        return;
      }
      let accepting = true;
      const boundPort = library.us_socket_local_port(socket);
      try {
        listener = new Listener(handlerFor(boundPort), expectsProxy);
      } catch (error) {
        library.us_listen_socket_close(socket);
        reject(error as Error);
        return;
      }
      for (const path of listener.handler.paths) {
        app.get(path, (res, req) => listener.onRequest(res, req, "GET", path));
        app.post(path, (res, req) => listener.onRequest(res, req, "POST", path));
      }
      resolve({
        port: boundPort,
        inFlight: () => listener.inFlight,
        connections: () => connections,
        stopAccepting() {
          if (accepting) library.us_listen_socket_close(socket);
          accepting = false;
        },
        close() {
          accepting = false;
          app.close();
        },
      });
    });
  });
}

type ListenOn = (
  host: string,
  port: number,
  option: number,
  callback: (socket: uWS.us_listen_socket | false) => void,
) => void;

/**
 * For a reply within its request's turn. The library gathers what is sent, and sends it once a body does not fit behind
 * it. If the system takes none of that, because the client has reset the connection, the library drops the body, takes
 * the request for one that was not answered, and ends the process, unless there is a listener for its end.
 */
const mayBeDropped = () => {};

class Listener {
  inFlight = 0;
  readonly watch: SendWatch = (change) => (this.inFlight += change);
  readonly handler: HttpHandler;
  /** The request whose headers are being read. Keeping it here, one callback serves all requests. */
  #reading = new HttpRequest();
  readonly #takeHeader = (name: string, value: string) => this.#reading.addHeader(name, value);

  readonly #expectsProxy: boolean;

  constructor(handler: HttpHandler, expectsProxy: boolean) {
    this.handler = handler;
    this.#expectsProxy = expectsProxy;
  }

  /**
   * Whether the connection came with a PROXY preamble that is not expected. The library takes one from anyone. It does
   * not tell of one without an address, which changes nothing.
   */
  #isProxied(res: uWS.HttpResponse): boolean {
    return !this.#expectsProxy && res.getProxiedRemoteAddress().byteLength > 0;
  }

  onRequest(res: uWS.HttpResponse, req: uWS.HttpRequest, method: string, path: string): void {
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

/** The library ends the process if its callbacks throw, or leave a request without an answer: see `fail`. */
class SocketResponse implements PendingResponse {
  readonly request: HttpRequest;
  open = true;
  readonly #listener: Listener;
  readonly #res: uWS.HttpResponse;
  #stream: IncomingBody | undefined;
  #onGone: (() => void) | undefined;
  /** Whether the handler's own turn is over. Within it the library gathers writes; later `cork` has to. */
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

  /** Answers bad framing. */
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
   * Reads the body, and hands the request on as soon as it is whole or its length is known to be too large. Chunks that
   * are too many are read to their end if that comes soon: the answer ends their connection, and a client that is cut off
   * while it sends may not see why. Behind chunks the request is handed on in the next turn: if the library has by then
   * found another one in what it takes for the rest, it has closed the connection, and nothing is done for a request
   * whose end is not certain.
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
   * Hands the request on, whose body is read meanwhile. What is left of it once the request is answered is read and
   * dropped, unless it is longer than allowed. Behind chunks the end of the body waits a turn: see `#collectBody`.
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
