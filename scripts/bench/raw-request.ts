/** One request of a load, before it is turned into bytes. All of it is ASCII. */
export interface LoadRequest {
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: string;
  readonly etag?: string;
}

/** The request as it goes over the wire. */
export function rawRequest({ path, key, body, etag }: LoadRequest): string {
  const lines = [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
  ];
  if (etag !== undefined) lines.push(`If-None-Match: ${etag}`);
  if (body !== undefined)
    lines.push("Content-Type: application/json", `Content-Length: ${body.length}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
