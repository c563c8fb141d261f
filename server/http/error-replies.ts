import { cutMessage } from "../../quant/cut-message.ts";
import { STATUS_OF, type Failure } from "./errors.ts";
import { NO_STORE, type Reply } from "./reply.ts";

/** Makes the reply to a failure. `lines` are additional header lines, each as `\r\nName: value`. */
export type ErrorReplies = (failure: Failure, lines?: string) => Reply;

/** Makes error replies for a server whose documentation is at `publicUrl`. */
export function errorReplies(publicUrl: string): ErrorReplies {
  return ({ code, message }, lines = "") => {
    const docsUrl = `${publicUrl}/docs/errors#${code}`;
    const error = { code, message: cutMessage(message), docs_url: docsUrl };
    const challenge = STATUS_OF[code].startsWith("401") ? "\r\nWWW-Authenticate: Bearer" : "";
    return {
      status: STATUS_OF[code],
      code,
      headers: NO_STORE + challenge + lines,
      body: JSON.stringify({ error }),
    };
  };
}

/** `Retry-After`, at least one second: 0 would ask for a busy loop. */
export function retryAfter(seconds: number): string {
  return `\r\nRetry-After: ${Math.max(1, Math.ceil(seconds))}`;
}
