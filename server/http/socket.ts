/**
 * The socket adapter: the one file that knows what uWebSockets.js does. It copies a request's head before anything is
 * decided, because the library takes it back. It refuses framing that cannot be trusted, collects a body if the
 * handler wants one, and writes one reply. What the library refuses before this code sees it is in `docs/api.md`,
 * "Connections".
 */
import type * as uWS from "uWebSockets.js";
import { acceptsGzip } from "./accept-encoding.ts";
import { ByteWriter } from "./byte-writer.ts";
import { constantText, type ConstantText } from "./constant-text.ts";
import type { Exchange, HttpHandler } from "./exchange.ts";
import { askForBody, writeHead } from "./expect-continue.ts";
import { framingFault } from "./framing.ts";
import { writeRateLimits } from "./rate-limit-fields.ts";
import { JSON_TYPE, type Reply } from "./reply.ts";
import { BODY_MAX_BYTES, HttpRequest } from "./request.ts";
import { cannotListen, type ListenOptions } from "./listen-options.ts";
import { library } from "./socket-library.ts";
import { endWatched, isLast, isWatched, type SendWatch } from "./unread-answers.ts";

/** A refused body up to this length is read and dropped, and the connection lives on. A longer one ends it. */
const DROPPED_BODY_MAX_BYTES = 1024 * 1024;
/** Compressing a smaller body costs more than it saves. */
const GZIP_MIN_BYTES = 1024;
/** How much of a response the library holds back until the request's turn is over: see `refuse`. */
const CORK_BYTES = 16 * 1024;
/**
 * The system takes this much of an answer at once, on any connection. (On a new one over a network it takes some 40 to
 * 80 KB.) The library keeps the rest of a longer answer, and does not say when that is gone.
 */
const TAKEN_AT_ONCE_BYTES = 32 * 1024;
/** More than any head has. A longer one would not fail: the memory grows. */
const HEAD_BYTES = 8 * 1024;
/** By default a port is not shared: a second server has to fail, not silently take half of the connections. */
const EXCLUSIVE_PORT = 1;
/** Processes that all ask for this share a port; the system spreads connections over them (SO_REUSEPORT). */
const SHARED_PORT = 0;

export interface HttpServer {
  readonly port: number;
  /** How many requests wait for their answer, and how many long answers wait for their clients to take them. */
  inFlight(): number;
  /** How many connections are open. */
  connections(): number;
  /**
   * When the last request came whose answer may still be on its way out of this process, on the clock that never
   * jumps; -Infinity before the first.
   */
  longAnswerAtMs(): number;
  /** Takes no new connection. */
  stopAccepting(): void;
  /** Ends every connection. */
  close(): void;
}

/**
 * Listens, and answers with the handler that is made for the port it got. Rejects if the address is taken or is not
 * this machine's.
 */
export function listen(
  host: string,
  port: number,
  handlerFor: (port: number) => HttpHandler,
  { sharePort = false, connectionsMax = Infinity, onTooMany }: ListenOptions = {},
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
        listener = new Listener(handlerFor(boundPort));
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
        longAnswerAtMs: () => listener.longAnswerAtMs,
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

class Listener implements SendWatch {
  inFlight = 0;
  longAnswerAtMs = Number.NEGATIVE_INFINITY;
  readonly handler: HttpHandler;
  /** The request whose headers are being read. Keeping it here, one callback serves all requests. */
  #reading: HttpRequest;
  readonly #takeHeader = (name: string, value: string) => this.#reading.addHeader(name, value);

  constructor(handler: HttpHandler) {
    this.handler = handler;
    this.#reading = new HttpRequest(handler.requestIds);
  }

  waits(): void {
    this.inFlight++;
  }

  taken(): void {
    this.inFlight--;
  }

  onRequest(res: uWS.HttpResponse, req: uWS.HttpRequest, method: string, path: string): void {
    const request = new HttpRequest(this.handler.requestIds);
    request.method = method;
    request.path = path;
    request.query = req.getQuery() ?? "";
    this.#reading = request;
    req.forEach(this.#takeHeader);
    request.identify();
    request.nowMs = this.handler.nowMs();
    const fault = framingFault(request);
    if (fault !== undefined) {
      refuse(res, request, this.handler, this.handler.badFraming(request, fault));
      return;
    }
    const exchange = new SocketExchange(this, res, request);
    if (this.handler.wantsBody(request)) exchange.collectBody();
    else exchange.handle();
  }
}

class SocketExchange implements Exchange {
  readonly request: HttpRequest;
  open = true;
  readonly #listener: Listener;
  readonly #res: uWS.HttpResponse;
  /** Whether the handler's own turn is over. Within it the library gathers writes; later `cork` has to. */
  #deferred = false;

  constructor(listener: Listener, res: uWS.HttpResponse, request: HttpRequest) {
    this.#listener = listener;
    this.#res = res;
    this.request = request;
  }

  handle(): void {
    this.#listener.handler.handle(this);
    if (this.open) this.#defer();
  }

  send(reply: Reply): void {
    if (!this.open) return;
    this.open = false;
    if (this.#deferred) {
      this.#listener.inFlight--;
      this.#res.cork(() => writeReply(this.#res, this.request, reply, this.#listener));
    } else {
      writeReply(this.#res, this.request, reply, this.#listener);
    }
    this.#listener.handler.over(this.request, reply);
  }

  #defer(): void {
    this.#deferred = true;
    this.#listener.inFlight++;
    this.#res.onAborted(() => {
      if (!this.open) return;
      this.open = false;
      this.#listener.inFlight--;
      this.#listener.handler.over(this.request, undefined);
    });
  }

  /** Reads the body, and hands the request on as soon as it is whole or known to be too large. */
  collectBody(): void {
    this.#defer();
    if (Number(this.request.contentLength) > BODY_MAX_BYTES) {
      this.#handOn(undefined);
      return;
    }
    askForBody(this.#res, this.request);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let collecting = true;
    this.#res.onData((chunk, isLast) => {
      if (!collecting) return;
      bytes += chunk.byteLength;
      collecting = bytes <= BODY_MAX_BYTES && !isLast;
      // The memory is the library's again on return.
      if (bytes <= BODY_MAX_BYTES) chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (collecting) return;
      const whole = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks); // short bodies come in one
      this.#handOn(bytes > BODY_MAX_BYTES ? undefined : whole);
    });
  }

  #handOn(body: Buffer | undefined): void {
    this.request.body = body;
    this.request.bodyTooLarge = body === undefined;
    this.#listener.handler.handle(this);
  }
}

/** Whether the rest of a refused body is not worth reading: it is long, or its length is unknown. */
function isLongBody(request: HttpRequest): boolean {
  if (!request.bodyTooLarge) return false;
  return (
    request.transferEncodingCount > 0 || Number(request.contentLength) > DROPPED_BODY_MAX_BYTES
  );
}

/**
 * For an answer that is sent within its request's turn. The library gathers what is sent, and sends it once a body does
 * not fit behind it. If the system takes none of that, because the client has reset the connection, the library drops the
 * body, takes the request for one that was not answered, and ends the process, unless somebody wants to hear of its end.
 */
const mayBeDropped = () => {};

/** The head of the response being written. One is enough: each is sent before the next is begun. */
const head = new ByteWriter(HEAD_BYTES);
const GZIP_LINE = constantText("\r\nContent-Encoding: gzip");
const JSON_LINE = constantText(`\r\nContent-Type: ${JSON_TYPE}`);

function writeReply(
  res: uWS.HttpResponse,
  request: HttpRequest,
  reply: Reply,
  watch: Listener,
): void {
  const { shared } = reply;
  const { nowMs } = request;
  let { body } = reply;
  beginHead(request, reply);
  if (shared !== undefined) {
    // All callers' bodies are made in the same memory, so this one is sent before anything else runs.
    const tail = reply.tail ?? "";
    const gzip =
      acceptsGzip(request.acceptEncoding) && shared.beginningBytes + tail.length >= GZIP_MIN_BYTES;
    if (gzip) {
      head.constant(GZIP_LINE);
      body = shared.gzip(tail);
    } else {
      body = shared.plain(tail);
    }
  }
  const close = reply.close === true || request.wantsClose || isLongBody(request);
  if (body === undefined) {
    endWithoutBody(res, request, close || isLast(head.length, reply, nowMs));
    return;
  }
  if (reply.contentType === undefined) head.constant(JSON_LINE);
  else head.text(`\r\nContent-Type: ${reply.contentType}`);
  if (request.method === "HEAD") {
    head.text(`\r\nContent-Length: ${Buffer.byteLength(body)}`);
    endWithoutBody(res, request, close || isLast(head.length, reply, nowMs));
  } else {
    writeHead(res, request, head.written);
    if (!close && isWatched(head.length, body.length, reply)) {
      endWatched(res, body, { reply, nowMs, watch });
    } else {
      res.onAborted(mayBeDropped);
      res.end(body, close);
    }
    if (body.length > TAKEN_AT_ONCE_BYTES) watch.longAnswerAtMs = request.startedMs;
  }
}

/** Writes the lines that do not depend on the body. */
function beginHead(request: HttpRequest, reply: Reply): void {
  const { status, headers, minute, month, lastHeaders } = reply;
  head.clear();
  head.constant(statusStart(status));
  request.writeId(head);
  if (typeof headers === "string") head.text(headers);
  else head.bytes(headers);
  if (minute !== undefined) writeRateLimits(head, minute, month);
  if (lastHeaders !== undefined && lastHeaders !== "") head.text(lastHeaders);
}

/**
 * Sends a head without a body. To close the connection after it, the library has no right call: the one there is waits
 * for as many bytes as the head announces. So the whole head is written as its first line, and the connection is ended
 * in the next turn. If the request's only `Connection` option is `close`, the library closes by itself, and is left to
 * do so: an answer written by hand counts as unfinished, and is lost if another request came with this one.
 */
function endWithoutBody(res: uWS.HttpResponse, request: HttpRequest, close: boolean): void {
  const byHand = close && !request.closesByItself;
  if (byHand) head.text(`\r\nDate: ${dateOf(request)}\r\nConnection: close\r\n`);
  writeHead(res, request, head.written);
  if (!byHand) {
    res.endWithoutBody();
    return;
  }
  let open = true;
  res.onAborted(() => {
    open = false;
  });
  setImmediate(() => {
    if (open) res.close();
  });
}

function dateOf({ nowMs }: HttpRequest): string {
  return new Date(nowMs).toUTCString();
}

const statusStarts = new Map<string, ConstantText>();

/** The status line, whose beginning the library writes, and the name of the first header. */
function statusStart(status: string): ConstantText {
  let start = statusStarts.get(status);
  if (start === undefined) {
    start = constantText(`${status}\r\nX-Request-Id: `);
    statusStarts.set(status, start);
  }
  return start;
}

/**
 * Answers bad framing and ends the connection at once: what follows such a head must not be taken for a request. The
 * library usually sends at the end of its turn, and drops what was written if by then the connection is closed, or it
 * has refused the request itself. Only what does not fit into its buffer goes out directly. So the body is padded with
 * blanks, which JSON allows, and goes into one header together with the lines before it.
 */
function refuse(
  res: uWS.HttpResponse,
  request: HttpRequest,
  handler: HttpHandler,
  reply: Reply,
): void {
  const body = `${String(reply.body)}${" ".repeat(CORK_BYTES)}`;
  const lines = [
    request.id + String(reply.headers),
    `Content-Type: ${JSON_TYPE}`,
    `Date: ${dateOf(request)}`,
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body) + 2}`, // and the line break after a header
    "",
    body,
  ];
  res.writeStatus(reply.status);
  res.writeHeader("X-Request-Id", lines.join("\r\n"));
  res.close();
  handler.over(request, reply);
}
