import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { SHORT_BODY_MAX_BYTES, type HttpRequest } from "../http/request.ts";

/** Checks a body's size and type; its contents are checked next. */
export function validateBody(
  { body, bodyTooLarge, contentType, contentEncoding }: HttpRequest,
  maxBytes = SHORT_BODY_MAX_BYTES,
): void {
  if (bodyTooLarge || (body?.byteLength ?? 0) > maxBytes) {
    const message = `the body is larger than the allowed ${maxBytes} bytes`;
    throw new DomainError("payload_too_large", message);
  }
  if (!/^application\/json[ \t]*(;|$)/i.test(contentType)) {
    const got = contentType === "" ? "none" : quoted(contentType);
    const message = `"Content-Type" must be "application/json", got ${got}`;
    throw new DomainError("unsupported_media_type", message);
  }
  checkEncoding(contentEncoding);
}

export function checkEncoding(contentEncoding: string): void {
  // RFC 9110, 8.4 and 15.5.16: an encoding that the server does not undo is refused and not guessed at.
  if (contentEncoding !== "" && contentEncoding.toLowerCase() !== "identity") {
    const message = `"Content-Encoding" must be absent or "identity", got ${quoted(contentEncoding)}`;
    throw new DomainError("unsupported_media_type", message);
  }
}
