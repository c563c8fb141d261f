import { randomBytes } from "node:crypto";
import type { ByteWriter } from "./byte-writer.ts";
import { constantText, type ConstantText } from "./constant-text.ts";

const ECHOED = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether an `X-Request-Id` that was sent can serve as the request's id. */
export function isRequestId(sent: string): boolean {
  return sent !== "" && ECHOED.test(sent);
}

/**
 * Ids for requests that brought none: a random prefix of this process and a running number, unique without a
 * random draw per request. A request keeps the number; the text is made only if somebody reads it.
 */
export class RequestIds {
  readonly #prefix: string;
  readonly #prefixBytes: ConstantText;
  #serial = 0;

  constructor(prefix: string = randomBytes(9).toString("base64url")) {
    this.#prefix = `${prefix}-`;
    this.#prefixBytes = constantText(this.#prefix);
  }

  next(): number {
    return ++this.#serial;
  }

  textOf(serial: number): string {
    return this.#prefix + serial.toString(36);
  }

  write(serial: number, out: ByteWriter): void {
    out.constant(this.#prefixBytes);
    out.base36(serial);
  }
}
