import { randomBytes } from "node:crypto";

const ECHOED = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Gives every request an id: the caller's own when it is 1 to 64 characters of `[A-Za-z0-9_-]`, else one made
 * of a random prefix of this process and a running number, which is unique without a random draw a request.
 */
export function requestIds(
  prefix: string = randomBytes(9).toString("base64url"),
): (sent: string) => string {
  let count = 0;
  return (sent) => {
    if (sent !== "" && ECHOED.test(sent)) return sent;
    count++;
    return `${prefix}-${count.toString(36)}`;
  };
}
