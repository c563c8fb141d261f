import type { ErrorCode } from "./errors.ts";
import type { LimitState } from "./rate-limit-fields.ts";
import type { BodyPrefix, Suffix } from "./shared-body.ts";

/**
 * What is sent back, as plain data: routes and checks make replies, `write-reply.ts` writes them. A body is text,
 * bytes, or a shared prefix with this caller's suffix, which is rendered only when it is written.
 */
export interface Reply {
  /** Status line without the version: `200 OK`. */
  readonly status: string;
  /** Header lines, each as `\r\nName: value`. Never contains text from a caller, unless checked. */
  readonly headers: string;
  /** What the caller has left, if the caller is known; the quota only if the store can be reached. */
  readonly rateWindow?: LimitState | undefined;
  readonly quota?: LimitState | undefined;
  /** Header lines that follow those of the limits. */
  readonly lastHeaders?: string;
  /** The code of an error, for metrics. */
  readonly code?: ErrorCode;
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly shared?: BodyPrefix;
  readonly suffix?: Suffix;
  /** Ends the connection once the reply is sent. */
  readonly close?: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

export const NO_STORE = "\r\nCache-Control: no-store";

/** Header lines of an answer that is made for one caller only. */
export const PRIVATE_ANSWER_HEADERS = `${NO_STORE}\r\nVary: Accept-Encoding`;
