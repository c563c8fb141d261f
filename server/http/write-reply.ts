/** Writes a reply to the socket library's response. */
import type * as uWS from "uWebSockets.js";
import { acceptsGzip } from "./accept-encoding.ts";
import { ByteWriter } from "./byte-writer.ts";
import { constantText, type ConstantText } from "./constant-text.ts";
import { writeHead } from "./expect-continue.ts";
import { writeRateLimits } from "./rate-limit-fields.ts";
import { JSON_TYPE, type Reply } from "./reply.ts";
import { DROPPED_BODY_MAX_BYTES, isChunked, type HttpRequest } from "./request.ts";
import { endWatched, isLast, isWatched, type SendWatch } from "./unread-answers.ts";

/** Compressing a smaller body costs more than it saves. */
const GZIP_MIN_BYTES = 1024;
/** How much of a response the library holds back until the request's turn is over: see `writeRefusal`. */
const CORK_BYTES = 16 * 1024;
/**
 * The system takes this much of an answer at once, on any connection. (On a new one over a network it takes some 40 to
 * 80 KB.) The library keeps the rest of a longer answer, and does not say when that is gone.
 */
const TAKEN_AT_ONCE_BYTES = 32 * 1024;
/** More than any head has. A longer one would not fail: the memory grows. */
const HEAD_BYTES = 8 * 1024;

/** Hears of answers that may take long to leave this process. */
export interface ReplyWatch extends SendWatch {
  /** When the last request came whose answer the system may not have taken at once. */
  longAnswerAtMs: number;
}

/** Whether no further request is read behind this one: its end is not certain, or the rest of its body is too long. */
function isLastRequest(request: HttpRequest): boolean {
  const isLong = request.bodyTooLarge && Number(request.contentLength) > DROPPED_BODY_MAX_BYTES;
  return isLong || isChunked(request);
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

export function writeReply(
  res: uWS.HttpResponse,
  request: HttpRequest,
  reply: Reply,
  watch: ReplyWatch,
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
  const close = reply.close === true || request.wantsClose || isLastRequest(request);
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
export function writeRefusal(res: uWS.HttpResponse, request: HttpRequest, reply: Reply): void {
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
}
