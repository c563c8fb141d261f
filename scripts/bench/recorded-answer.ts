import type { LoadRequest } from "./raw-request.ts";

/** An answer, for a server that only repeats it. */
export interface RecordedAnswer {
  /** `200 OK`. */
  readonly status: string;
  /** `name: value` lines, without those that a server adds to every answer by itself. */
  readonly headers: readonly string[];
  /** Undefined for an answer that has none (304). */
  readonly body: string | undefined;
}

const ADDED_BY_ANY_SERVER = ["content-length", "date", "connection", "keep-alive"];

/** Sends one request and keeps the answer. */
export async function recordAnswer(port: number, request: LoadRequest): Promise<RecordedAnswer> {
  const { path, key, body, etag } = request;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      "accept-encoding": "identity",
      ...(etag !== undefined && { "if-none-match": etag }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body }),
  });
  const text = await response.text();
  return {
    status: `${response.status} ${response.statusText}`,
    headers: [...response.headers]
      .filter(([name]) => !ADDED_BY_ANY_SERVER.includes(name))
      .map((header) => header.join(": ")),
    body: response.status === 304 ? undefined : text,
  };
}

/** The status code: the number before the reason. */
export function statusCodeOf({ status }: RecordedAnswer): number {
  return Number(status.slice(0, 3));
}
