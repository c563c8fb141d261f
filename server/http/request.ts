/** Largest request body, where it is read before the request is handled: that of a study. */
export const BODY_MAX_BYTES = 256 * 1024;
/** Of all others. */
export const SHORT_BODY_MAX_BYTES = 16 * 1024;
/** Largest body of a request that is handled first, as that of a check. */
export const STREAMED_BODY_MAX_BYTES = 16 * 1024 * 1024;
/**
 * A refused body up to this length is read and dropped: a client that is cut off while it sends often never sees the
 * answer. A longer one ends its connection.
 */
export const DROPPED_BODY_MAX_BYTES = 1024 * 1024;
/** One of the options of a `Connection` header, in any case (RFC 9110, 7.6.1). */
const CLOSE_OPTION = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * One HTTP request. It is copied from the socket in full before anything is decided, because the socket
 * library gives the head only until the handler returns. Header values are as sent, trimmed. "" means a
 * header that was not sent or is empty; where the difference matters, the counts tell.
 */
export class HttpRequest {
  /** As sent: methods are case-sensitive. */
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
  /** True if the body was longer than allowed and was not kept. */
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
  idempotencyKey = "";
  idempotencyKeyCount = 0;

  /** Takes one header line, whose name the socket library has lower-cased. */
  addHeader(name: string, value: string): void {
    if (value.includes("\x7f")) this.hasDelete = true;
    switch (name) {
      case "host":
        this.host = value;
        this.hostCount++;
        break;
      case "connection":
        this.connectionCount++;
        if (value === "keep-alive") break;
        this.wantsClose ||= CLOSE_OPTION.test(value);
        this.closesByItself ||= this.connectionCount === 1 && value.toLowerCase() === "close";
        break;
      case "authorization":
        this.authorization = value;
        this.authorizationCount++;
        break;
      case "content-length":
        this.contentLength = value;
        this.contentLengthCount++;
        break;
      case "transfer-encoding":
        this.transferEncoding = value;
        this.transferEncodingCount++;
        break;
      case "expect":
        this.expect = value;
        break;
      case "accept":
        this.accept = joined(this.accept, value);
        break;
      case "accept-encoding":
        this.acceptEncoding = joined(this.acceptEncoding, value);
        break;
      case "if-none-match":
        this.ifNoneMatch = joined(this.ifNoneMatch, value);
        break;
      case "content-type":
        this.contentType = value;
        break;
      case "content-encoding":
        this.contentEncoding = joined(this.contentEncoding, value);
        break;
      case "origin":
        this.origin = value;
        break;
      case "access-control-request-method":
        this.requestedMethod = value;
        break;
      case "idempotency-key":
        this.idempotencyKey = value;
        this.idempotencyKeyCount++;
        break;
      case "x-request-id":
        this.id = joined(this.id, value);
        break;
      default:
        this.#addRarer(name, value);
    }
  }

  /** What requests with a key have no use for. */
  #addRarer(name: string, value: string): void {
    switch (name) {
      case "x-forwarded-for":
        this.forwardedFor = joined(this.forwardedFor, value);
        break;
      case "cookie":
        this.cookie = this.cookie === "" ? value : `${this.cookie}; ${value}`;
        break;
      case "sec-fetch-site":
        this.fetchSite = joined(this.fetchSite, value);
        break;
      default:
        if (name === "user-agent") this.userAgent = value;
    }
  }
}

/**
 * Whether the body comes in chunks. The socket library does not find the end of such a body reliably: it accepts malformed
 * chunk sizes, ignores the line break after a chunk, and reads trailers, which proxies pass on, as the next request. So
 * the connection is closed after this request (RFC 9112, 11.2).
 */
export function isChunked(request: HttpRequest): boolean {
  return request.transferEncodingCount > 0;
}

/** List headers may come in several lines, which mean the same as one line with commas (RFC 9110, 5.3). */
function joined(before: string, value: string): string {
  return before === "" ? value : `${before}, ${value}`;
}
