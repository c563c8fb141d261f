import type { ErrorCode } from "./errors.ts";
import type { SharedBody } from "./shared-body.ts";

/**
 * What is sent back, as plain data: routes and checks make replies, `socket.ts` writes them. A body is text,
 * bytes, or a shared beginning with this caller's tail, which is rendered when it is written and not before.
 */
export interface Reply {
  /** Status line without the version: `200 OK`. */
  readonly status: string;
  /** Ready header lines behind the first, each as `\r\nName: value`. Never text a caller sent, unless checked. */
  readonly headers: string;
  /** Of an error's answer, for those who count them. */
  readonly code?: ErrorCode;
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly shared?: SharedBody;
  readonly tail?: string;
  /** Ends the connection once the reply is sent. */
  readonly close?: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

export const NO_STORE = "\r\nCache-Control: no-store";
