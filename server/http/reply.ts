import type { ErrorCode } from "./errors.ts";
import { bytesOf } from "./byte-writer.ts";
import type { LimitState } from "./rate-limit-fields.ts";
import type { TailedBody } from "./shared-body.ts";
import type { Tail } from "./gzip-member.ts";

/**
 * What is sent back, as plain data: routes and checks make replies, `socket.ts` writes them. A body is text,
 * bytes, or a shared beginning with this caller's tail, which is rendered when it is written and not before.
 */
export interface Reply {
  /** Status line without the version: `200 OK`. */
  readonly status: string;
  /**
   * Ready header lines behind the first, each as `\r\nName: value`. Never text a caller sent, unless checked. As
   * bytes where they are sent often.
   */
  readonly headers: string | Uint8Array;
  /** What the caller has left, where the caller is known; the month where the store can say. */
  readonly minute?: LimitState | undefined;
  readonly month?: LimitState | undefined;
  /** Header lines behind those of the limits. */
  readonly lastHeaders?: string;
  /** Of an error's answer, for those who count them. */
  readonly code?: ErrorCode;
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly shared?: TailedBody;
  readonly tail?: Tail;
  /** Ends the connection once the reply is sent. */
  readonly close?: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

export const NO_STORE = "\r\nCache-Control: no-store";

/** Header lines of an answer that is made for one caller only. */
export const PRIVATE_ANSWER_HEADERS = bytesOf(
  "\r\nCache-Control: no-store\r\nVary: Accept-Encoding",
);
