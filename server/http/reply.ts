import { type ErrorCode, STATUS_OF, type Failure } from "./errors.ts";
import type { FilePart } from "./file-body.ts";
import type { BodyPrefix, Suffix } from "./shared-body.ts";
import { cutMessage } from "../../quant/cut-message.ts";

/**
 * What is sent back, as plain data. `write-reply.ts` writes it. A body is text, bytes, or a shared prefix with this
 * caller's suffix, which is rendered only when it is written.
 */
export interface Reply {
  /** Status line without the version: `200 OK`. */
  readonly status: string;
  /** Header lines, each as `\r\nName: value`. Text from a caller is never among them unless it was checked. */
  readonly headers: string;
  /** What the caller has left, if the caller is known; the quota only if the store can be reached. */
  readonly rateWindow?: LimitState | undefined;
  readonly quota?: LimitState | undefined;
  readonly code?: ErrorCode;
  readonly contentType?: string;
  readonly body?: string | Buffer;
  readonly shared?: BodyPrefix;
  readonly suffix?: Suffix;
  /** The body, as it is sent in pieces. */
  readonly file?: FilePart;
  /** The length of the body of a GET, in the answer to a HEAD that has none. */
  readonly bodyBytes?: number;
  readonly close?: boolean;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const HTML_TYPE = "text/html; charset=utf-8";

export const NO_STORE = "\r\nCache-Control: no-store";

/** Header lines of an answer that is made for one caller only. */
export const PRIVATE_ANSWER_HEADERS = `${NO_STORE}\r\nVary: Accept-Encoding`;

/** One limit, in whole seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/**
 * A function that makes the reply to a failure, for a server whose documentation is at `publicUrl`. `lines` are additional
 * header lines, each as `\r\nName: value`.
 */
export function errorReplies(publicUrl: string) {
  return ({ code, message }: Failure, lines = ""): Reply => {
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

/** A `Retry-After` line of at least one second: 0 would invite clients to try again without a pause. */
export function retryAfter(seconds: number): string {
  return `\r\nRetry-After: ${Math.max(1, Math.ceil(seconds))}`;
}
