/** Writes a reply to the socket library's response. */
import type * as uWS from "uWebSockets.js";
import { acceptsGzip } from "./request-fields.ts";
import { JSON_TYPE, type LimitState, type Reply } from "./reply.ts";
import { DROPPED_BODY_MAX_BYTES, isChunked, type HttpRequest } from "./request.ts";
import { sendFile } from "./file-body.ts";
import { endWatched, isLast, isWatched, type SendWatch } from "./backpressure.ts";

/** Compressing a smaller body costs more than it saves. */
const GZIP_MIN_BYTES = 1024;
/** The size of the library's buffer, which it sends when the request's turn is over: see `writeRefusal`. */
const CORK_BYTES = 16 * 1024;

/** Whether this is the last request of its connection, because its end is uncertain or the rest of its body too long. */
function isLastRequest(request: HttpRequest): boolean {
  const isLong = request.bodyTooLarge && Number(request.contentLength) > DROPPED_BODY_MAX_BYTES;
  return isLong || isChunked(request);
}

export function writeReply(
  res: uWS.HttpResponse,
  request: HttpRequest,
  reply: Reply,
  watch: SendWatch,
): void {
  const { body, isGzip } = bodyOf(request, reply);
  const head = headOf(request, reply) + (isGzip ? "\r\nContent-Encoding: gzip" : "");
  const close = reply.close === true || request.wantsClose || isLastRequest(request);
  const { file, bodyBytes } = reply;
  if (file !== undefined) {
    writeHead(res, request, `${head}${typeLines(reply)}`);
    watch(1);
    void sendFile(res, { ...file, over: () => (watch(-1), file.over()) });
    return;
  }
  if (bodyBytes !== undefined) {
    const sized = `${head}${typeLines(reply)}\r\nContent-Length: ${bodyBytes}`;
    endWithoutBody(res, request, { head: sized, close: close || isLast(sized.length, reply) });
    return;
  }
  if (body === undefined) {
    endWithoutBody(res, request, { head, close: close || isLast(head.length, reply) });
    return;
  }
  const typed = `${head}${typeLines(reply)}`;
  if (request.method === "HEAD") {
    const sized = `${typed}\r\nContent-Length: ${Buffer.byteLength(body)}`;
    endWithoutBody(res, request, { head: sized, close: close || isLast(sized.length, reply) });
    return;
  }
  writeHead(res, request, typed);
  const isOwn = reply.shared === undefined;
  if (!close && isWatched(body.length)) endWatched(res, { body, isOwn }, watch);
  else res.end(body, close);
}

interface EncodedBody {
  readonly body: Buffer | undefined;
  readonly isGzip: boolean;
}

/**
 * The body as it is sent. Different callers share its memory, so it must be sent before anything else runs. The library's
 * builds for Node 22 and newer send text that fits into Latin-1 as Latin-1, so it gets bytes.
 */
function bodyOf(request: HttpRequest, { body, shared, suffix = "" }: Reply): EncodedBody {
  if (shared === undefined) {
    return { body: typeof body === "string" ? Buffer.from(body) : body, isGzip: false };
  }
  const isLong = shared.prefixBytes + suffix.length >= GZIP_MIN_BYTES;
  const isGzip = isLong && acceptsGzip(request.acceptEncoding);
  return { body: isGzip ? shared.gzip(suffix) : shared.plain(suffix), isGzip };
}

/** The status line, whose start the library writes, and the lines that do not depend on the body. */
function headOf(request: HttpRequest, reply: Reply): string {
  const { status, headers, rateWindow, quota } = reply;
  const limits = rateWindow === undefined ? "" : rateLimitLines(rateWindow, quota);
  return `${status}\r\nX-Request-Id: ${request.id}${headers}${limits}`;
}

/**
 * The `RateLimit-Policy` and `RateLimit` lines of a response, which are structured fields. The first gives each policy's
 * quota `q` and window `w`, the second what remains, `r`, and the seconds until there is more, `t`. The monthly quota is
 * left out if the store cannot be reached. Source: IETF draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
function rateLimitLines(rateWindow: LimitState, quota: LimitState | undefined): string {
  const policy = `\r\nRateLimit-Policy: "minute";q=${rateWindow.limit};w=${rateWindow.windowSeconds}`;
  const state = `\r\nRateLimit: "minute";r=${rateWindow.remaining};t=${rateWindow.resetSeconds}`;
  if (quota === undefined) return policy + state;
  return `${policy}, "month";q=${quota.limit};w=${quota.windowSeconds}${state}, "month";r=${quota.remaining};t=${quota.resetSeconds}`;
}

/** Keeps browsers from guessing another type. */
const NOSNIFF = "\r\nX-Content-Type-Options: nosniff";
const JSON_LINES = `\r\nContent-Type: ${JSON_TYPE}${NOSNIFF}`;

function typeLines({ contentType = JSON_TYPE }: Reply): string {
  return contentType === JSON_TYPE ? JSON_LINES : `\r\nContent-Type: ${contentType}${NOSNIFF}`;
}

/**
 * Sends a head without a body. The library has no suitable call for closing the connection after it: the one there is
 * waits for the bytes that the head announces. So the whole head is written as its first line, and the connection is
 * closed in the next turn. Where the request's only `Connection` option is `close`, the library closes by itself. It is
 * left to do so, because it regards an answer written by hand as unfinished and drops it if another request has arrived.
 */
function endWithoutBody(
  res: uWS.HttpResponse,
  request: HttpRequest,
  { head, close }: { readonly head: string; readonly close: boolean },
): void {
  if (!close || request.closesByItself) {
    writeHead(res, request, head);
    res.endWithoutBody();
    return;
  }
  writeHead(res, request, `${head}\r\nDate: ${dateOf(request)}\r\nConnection: close\r\n`);
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

/**
 * Answers bad framing and closes the connection at once, because what follows such a head must not be read as a request.
 * The library usually sends at the end of its turn, and drops what was written if the connection is closed by then or it
 * has refused the request itself. Only what does not fit into its buffer is sent directly. So the body is padded with
 * blanks, which JSON allows, and written as part of one header together with the lines before it.
 */
export function writeRefusal(res: uWS.HttpResponse, request: HttpRequest, reply: Reply): void {
  const body = `${String(reply.body)}${" ".repeat(CORK_BYTES)}`;
  const lines = [
    `${request.id}${reply.headers}${typeLines(reply)}`,
    `Date: ${dateOf(request)}`,
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body) + 2}`, // and the line break after a header
    "",
    body,
  ];
  res.writeStatus(reply.status);
  res.writeHeader("X-Request-Id", lines.join("\r\n"));
  res.close();
}

/** An `Expect` header of a client that waits for a 100 before it sends its body, in the one spelling that the library recognises. */
const HEARD_EXPECTATION = "100-continue";
/** The library writes an empty line after it, which makes it a complete response. */
const CONTINUE = "100 Continue\r\n";

/**
 * Sends the `100 Continue` that the client waits for, if the library does not. The library compares case, which does not
 * matter (RFC 9110, 10.1.1): Java's client writes `100-Continue`.
 */
export function askForBody(res: uWS.HttpResponse, request: HttpRequest): void {
  const { expect } = request;
  if (expect === HEARD_EXPECTATION || expect.toLowerCase() !== HEARD_EXPECTATION) return;
  request.continued = true;
  res.writeStatus(CONTINUE);
}

/** Writes the head. After a `100 Continue`, which was the library's one status line, the real one is written as a header. */
export function writeHead(res: uWS.HttpResponse, request: HttpRequest, lines: string): void {
  if (!request.continued) {
    res.writeStatus(lines);
    return;
  }
  const colon = lines.indexOf(":");
  res.writeHeader(`HTTP/1.1 ${lines.slice(0, colon)}`, lines.slice(colon + ": ".length));
}
