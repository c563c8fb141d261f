import type { BodyParts } from "./incoming-body.ts";
import type { Reply } from "./reply.ts";
import type { HttpRequest } from "./request.ts";

export interface PendingResponse {
  readonly request: HttpRequest;
  /** The address of the client, or of the proxy in front; "" once it has left. */
  readonly address: string;
  /** False once the request was answered or the client has left. */
  readonly open: boolean;
  /** Answers once, now or later. Does nothing if the response is no longer open. */
  send(reply: Reply): void;
  /**
   * The body of a request whose body is streamed. `take` is called with the length of each piece as it arrives. If it
   * throws, the promise rejects and the rest is dropped. Does not settle if the client leaves first.
   */
  body(take: (bytes: number) => void): Promise<BodyParts>;
  /** Calls a function if the client leaves before it is answered. */
  onGone(call: () => void): void;
}

/**
 * What happens to a request's body. `whole`: it is read before the request is handled. `streamed`: it is read while the
 * request is handled. `dropped`: it is read and dropped, or refused.
 */
export type BodyUse = "whole" | "streamed" | "dropped";

/** What the socket adapter calls. If one of these functions throws, only its request fails. */
export interface HttpHandler {
  /**
   * Paths without an id, for GET and POST. The socket library matches these itself, so that the text of path and method is
   * not made anew for each request. Requests to other paths are handled in the same way.
   */
  readonly paths: readonly string[];
  /** Answers a request, before it returns or later. */
  handle(response: PendingResponse): void;
  useOfBody(request: HttpRequest): BodyUse;
  /** The reply to framing that cannot be trusted. Its body is text. */
  badFraming(request: HttpRequest, fault: string): Reply;
  /** The reply to a GET or HEAD with a body. Its body is text. */
  unwantedBody(request: HttpRequest): Reply;
  newRequestId(): string;
  nowMs(): number;
  defect(request: HttpRequest, error: unknown): Reply;
  /** Called once a response is over. Without a reply, the client left first or the reply could not be written. */
  over(request: HttpRequest, reply: Reply | undefined): void;
}
