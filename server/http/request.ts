import { randomBytes } from "node:crypto";
import { quoted } from "./quoted.ts";

/** Largest body that is read before its request is handled: that of a study. */
export const BODY_MAX_BYTES = 256 * 1024;
/** Largest body of any other request that is read first. */
export const SHORT_BODY_MAX_BYTES = 16 * 1024;
/** Largest body that is read while its request is handled: that of a check. */
export const STREAMED_BODY_MAX_BYTES = 16 * 1024 * 1024;
/**
 * A refused body up to this length is read and dropped: a client that is cut off while it sends often never sees the
 * answer. A longer one ends its connection.
 */
export const DROPPED_BODY_MAX_BYTES = 1024 * 1024;
/** One of the options of a `Connection` header, in any case (RFC 9110, 7.6.1). */
const CLOSE_OPTION = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * One HTTP request, copied from the socket before anything is decided, because the socket library gives the head only
 * until the handler returns. Header values are as sent, trimmed. A header that was not sent or is empty is ""; where the
 * difference matters, there is a count.
 */
export class HttpRequest {
  method = "";
  /** Path as sent, up to the first `?`. */
  path = "";
  /** Everything after the first `?`, as sent. */
  query = "";
  /** `X-Request-Id` as sent, until it is replaced if it cannot serve as an id. */
  id = "";
  /** The account this request was counted for, for the log; "" while unknown. */
  accountId = "";
  /** Instant of arrival, milliseconds since 1970. */
  nowMs = 0;
  /** When it was handled, on a clock that never jumps: with its body, unless that is streamed. 0 until then. */
  startedMs = 0;
  /** Index of its route among the service's route names; 0 for none. */
  route = 0;
  body: Buffer | undefined = undefined;
  bodyTooLarge = false;

  authorization = "";
  authorizationCount = 0;
  host = "";
  hostCount = 0;
  /** Whether `Connection` asks to end the connection. */
  wantsClose = false;
  /** Whether the first `Connection` line says only that: the socket library then closes by itself. */
  closesByItself = false;
  connectionCount = 0;
  contentLength = "";
  contentLengthCount = 0;
  transferEncoding = "";
  transferEncodingCount = 0;
  expect = "";
  /** Whether this code requested the body, because the socket library did not. */
  continued = false;
  accept = "";
  acceptEncoding = "";
  contentType = "";
  contentEncoding = "";
  ifNoneMatch = "";
  origin = "";
  /** `X-Forwarded-For`: what proxies in front say, and anyone else can. */
  forwardedFor = "";
  requestedMethod = "";
  /** Read by the pages of accounts alone. */
  cookie = "";
  /** `Sec-Fetch-Site`, which a browser sets and no page can. */
  fetchSite = "";
  userAgent = "";
  /** Whether a value has the control character 0x7f, which RFC 9110, 5.5 forbids and the socket library takes. */
  hasDelete = false;
  /** What clients of the Model Context Protocol repeat of a body, for proxies. */
  mcpProtocolVersion = "";
  mcpMethod = "";
  mcpName = "";
  idempotencyKey = "";
  idempotencyKeyCount = 0;

  /** Takes one header line, whose name the socket library has lower-cased. */
  addHeader(name: string, value: string): void {
    if (value.includes("\x7f")) this.hasDelete = true;
    FIELDS.get(name)?.(this, value);
  }
}

/** How each header field that is read is taken. */
const FIELDS = new Map(
  Object.entries<(request: HttpRequest, value: string) => void>({
    host(request, value) {
      request.host = value;
      request.hostCount++;
    },
    connection(request, value) {
      request.connectionCount++;
      if (value === "keep-alive") return;
      request.wantsClose ||= CLOSE_OPTION.test(value);
      request.closesByItself ||= request.connectionCount === 1 && value.toLowerCase() === "close";
    },
    authorization(request, value) {
      request.authorization = value;
      request.authorizationCount++;
    },
    "content-length"(request, value) {
      request.contentLength = value;
      request.contentLengthCount++;
    },
    "transfer-encoding"(request, value) {
      request.transferEncoding = value;
      request.transferEncodingCount++;
    },
    "idempotency-key"(request, value) {
      request.idempotencyKey = value;
      request.idempotencyKeyCount++;
    },
    expect: (request, value) => (request.expect = value),
    "content-type": (request, value) => (request.contentType = value),
    origin: (request, value) => (request.origin = value),
    "access-control-request-method": (request, value) => (request.requestedMethod = value),
    "user-agent": (request, value) => (request.userAgent = value),
    "mcp-protocol-version": (request, value) => (request.mcpProtocolVersion = value),
    "mcp-method": (request, value) => (request.mcpMethod = value),
    "mcp-name": (request, value) => (request.mcpName = value),
    accept: (request, value) => (request.accept = joined(request.accept, value)),
    "accept-encoding": (request, value) =>
      (request.acceptEncoding = joined(request.acceptEncoding, value)),
    "content-encoding": (request, value) =>
      (request.contentEncoding = joined(request.contentEncoding, value)),
    "if-none-match": (request, value) => (request.ifNoneMatch = joined(request.ifNoneMatch, value)),
    "x-request-id": (request, value) => (request.id = joined(request.id, value)),
    "x-forwarded-for": (request, value) =>
      (request.forwardedFor = joined(request.forwardedFor, value)),
    "sec-fetch-site": (request, value) => (request.fetchSite = joined(request.fetchSite, value)),
    cookie: (request, value) => (request.cookie = joined(request.cookie, value, "; ")),
  }),
);

/**
 * Whether the body comes in chunks. The connection is then closed after this request (RFC 9112, 11.2), because the socket
 * library does not find the end of such a body reliably: it accepts malformed chunk sizes, ignores the line break after a
 * chunk, and reads trailers, which proxies pass on, as the next request.
 */
export function isChunked(request: HttpRequest): boolean {
  return request.transferEncodingCount > 0;
}

/** A list may come in several lines, which mean the same as one line with commas (RFC 9110, 5.3). */
function joined(before: string, value: string, separator = ", "): string {
  return before === "" ? value : before + separator + value;
}

const ECHOED = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether an `X-Request-Id` that was sent can serve as the request's id. */
export function isRequestId(sent: string): boolean {
  return sent !== "" && ECHOED.test(sent);
}

/** Makes ids for requests that brought none: a random prefix of this process and a running number. */
export function requestIds(prefix = randomBytes(9).toString("base64url")): () => string {
  let serial = 0;
  return () => `${prefix}-${++serial}`;
}

const DIGITS = /^\d{1,15}$/;
/** A name or address, with or without a port, or nothing (RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** RFC 9110, 5.6.2. The socket library accepts any text as a method, even an empty one. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The last valid host, which nearly all requests have. */
let knownHost = "";

/**
 * Why a request's framing cannot be trusted; undefined if it can. A proxy in front of this server must never see the end
 * of a message elsewhere, so whatever two readers could read differently is refused (RFC 9112, 3.2 and 6). Beyond the
 * standard, repeated equal lengths are refused too, and a body on GET or HEAD (`hasUnwantedBody`).
 */
export function framingFault(request: HttpRequest): string | undefined {
  const { method } = request;
  if (method !== "GET" && method !== "POST" && !TOKEN.test(method)) {
    return `expected a method, got ${quoted(method)}`;
  }
  if (request.hasDelete) return "a header has the control character 0x7f";
  if (request.hostCount !== 1) return `expected one "Host" header, got ${request.hostCount}`;
  if (request.host !== knownHost) {
    if (!HOST.test(request.host)) {
      return `"Host" must be a name or an address, got ${quoted(request.host)}`;
    }
    knownHost = request.host;
  }
  if (request.contentLengthCount === 0 && request.transferEncodingCount === 0) return undefined;
  if (request.contentLengthCount > 1) {
    return `expected one "Content-Length" header, got ${request.contentLengthCount}`;
  }
  if (request.contentLengthCount === 1 && !DIGITS.test(request.contentLength)) {
    return `"Content-Length" must be digits, got ${quoted(request.contentLength)}`;
  }
  if (request.transferEncodingCount > 0) {
    if (request.contentLengthCount > 0) {
      return `expected "Content-Length" or "Transfer-Encoding", got both`;
    }
    if (request.transferEncodingCount > 1 || request.transferEncoding.toLowerCase() !== "chunked") {
      return `"Transfer-Encoding" must be "chunked", got ${quoted(request.transferEncoding)}`;
    }
  }
  return undefined;
}

/** Whether a request has a body that its method does not take, and that a proxy in front may not see as one. */
export function hasUnwantedBody({
  method,
  transferEncodingCount,
  contentLength,
}: HttpRequest): boolean {
  const hasBody = transferEncodingCount > 0 || Number(contentLength) > 0;
  return hasBody && (method === "GET" || method === "HEAD");
}
