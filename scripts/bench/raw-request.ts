import { readFileSync, writeFileSync } from "node:fs";

/** One request of a load, before it is turned into bytes. */
export interface LoadRequest {
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: string;
  readonly etag?: string;
}

/** The request as it goes over the wire. */
function rawRequest({ path, key, body, etag }: LoadRequest): string {
  const lines = [
    `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
  ];
  if (etag !== undefined) lines.push(`If-None-Match: ${etag}`);
  if (body !== undefined) {
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/**
 * Writes requests for the load generators to read, each preceded by a line with its length in bytes, and
 * returns the file's name. All are ASCII.
 */
export function writeRequests(file: string, requests: readonly LoadRequest[]): string {
  const texts = requests.map(rawRequest);
  writeFileSync(file, texts.map((text) => `${text.length}\n${text}`).join(""), "latin1");
  return file;
}

/** The requests of such a file, each as it goes over the wire. */
export function readRequests(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const requests: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf("\n", at);
    const length = Number(bytes.toString("latin1", at, lineEnd));
    requests.push(bytes.subarray(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + length;
  }
  return requests;
}
