import { quoted } from "./quoted.ts";
import type { HttpRequest } from "./request.ts";

const DIGITS = /^\d{1,15}$/;
/** A name or address, with or without a port, or nothing (RFC 3986, 3.2.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** RFC 9110, 5.6.2. The socket library takes anything, even nothing. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The last valid one: nearly all requests have the same. */
let knownHost = "";

/**
 * Why a request's framing cannot be trusted; undefined if it can. A reader in front of this server must never see the end
 * of a message elsewhere, so whatever two readers could read differently is refused (RFC 9112, 3.2 and 6). Stricter than
 * that: repeated equal lengths are refused too, and a body on GET or HEAD (`hasUnwantedBody`).
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

/** Whether a request has a body that its method does not take. Readers in front of this server may not see it. */
export function hasUnwantedBody({
  method,
  transferEncodingCount,
  contentLength,
}: HttpRequest): boolean {
  const hasBody = transferEncodingCount > 0 || Number(contentLength) > 0;
  return hasBody && (method === "GET" || method === "HEAD");
}
