import { randomBytes } from "node:crypto";

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
