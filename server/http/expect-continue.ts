import type * as uWS from "uWebSockets.js";
import type { HttpRequest } from "./request.ts";

/** What a client sends that waits for a 100 before its body, as the socket library knows it. */
const HEARD_EXPECTATION = "100-continue";
/** As the library writes it, with an empty line after it, this is a whole response. */
const CONTINUE = "100 Continue\r\n";

/**
 * Requests the body if the client waits for a `100 Continue` that the library does not send: the library compares case,
 * although case does not matter (RFC 9110, 10.1.1) and Java's client writes `100-Continue`.
 */
export function askForBody(res: uWS.HttpResponse, request: HttpRequest): void {
  const { expect } = request;
  if (expect === HEARD_EXPECTATION || expect.toLowerCase() !== HEARD_EXPECTATION) return;
  request.continued = true;
  res.writeStatus(CONTINUE);
}

/** Sends the head. After a `100 Continue`, the library's one status line, the real one comes as a header. */
export function writeHead(res: uWS.HttpResponse, request: HttpRequest, lines: string): void {
  if (!request.continued) {
    res.writeStatus(lines);
    return;
  }
  const colon = lines.indexOf(":");
  res.writeHeader(`HTTP/1.1 ${lines.slice(0, colon)}`, lines.slice(colon + ": ".length));
}
