import type * as uWS from "uWebSockets.js";
import type { HttpRequest } from "./request.ts";

/** What a client sends who waits to be asked for its body, as the socket library knows it. */
const HEARD_EXPECTATION = "100-continue";
/** As the library writes it, with an empty line after it, this is a whole response. */
const CONTINUE = "100 Continue\r\n";
const STATUS_LINE_START = Buffer.from("HTTP/1.1 ");
const COLON = 58;

/**
 * Asks for the body if the client waits for that in a way that the library does not see: it compares the letters' case,
 * which does not matter (RFC 9110, 10.1.1), and which Java's client writes as `100-Continue`.
 */
export function askForBody(res: uWS.HttpResponse, request: HttpRequest): void {
  const { expect } = request;
  if (expect === HEARD_EXPECTATION || expect.toLowerCase() !== HEARD_EXPECTATION) return;
  request.continued = true;
  res.writeStatus(CONTINUE);
}

/**
 * Sends the head. All lines in one call: each call into the library costs more than the text it brings. The library
 * writes one status line only, so after a `100 Continue` the real one goes before the name of the first header.
 */
export function writeHead(res: uWS.HttpResponse, request: HttpRequest, lines: Buffer): void {
  if (!request.continued) {
    res.writeStatus(lines as unknown as ArrayBuffer);
    return;
  }
  const colon = lines.indexOf(COLON);
  const name = Buffer.concat([STATUS_LINE_START, lines.subarray(0, colon)]);
  const value = lines.subarray(colon + ": ".length);
  res.writeHeader(name as unknown as ArrayBuffer, value as unknown as ArrayBuffer);
}
