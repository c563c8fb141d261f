import { ask } from "../support/ask.ts";
import type { LoadRequest } from "./raw-request.ts";

/** A recorded answer, which a server can repeat. */
export interface RecordedAnswer {
  /** `200 OK`. */
  readonly status: string;
  /** `name: value` lines, without those that any server adds to its answers. */
  readonly headers: readonly string[];
  /** Undefined for an answer that has none (304). */
  readonly body: string | undefined;
}

const ADDED_BY_ANY_SERVER = ["content-length", "date", "connection", "keep-alive"];

/** Sends one request and keeps the answer. */
export async function recordAnswer(port: number, request: LoadRequest): Promise<RecordedAnswer> {
  const { path, key, body, etag } = request;
  const answer = await ask(`http://127.0.0.1:${port}${path}`, {
    key,
    body,
    headers: {
      "accept-encoding": "identity",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
  });
  return {
    status: `${answer.status} ${answer.statusText}`,
    headers: [...answer.headers]
      .filter(([name]) => !ADDED_BY_ANY_SERVER.includes(name))
      .map((header) => header.join(": ")),
    body: answer.status === 304 ? undefined : answer.text,
  };
}
