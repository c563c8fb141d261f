import { createConnection } from "node:net";
import { rawRequest, type LoadRequest } from "./raw-request.ts";

/** An answer as it came over the wire, for a server that only repeats it. */
export interface RecordedAnswer {
  /** `200 OK`. */
  readonly status: string;
  /** `Name: value` lines, without those that a server adds to every answer by itself. */
  readonly headers: readonly string[];
  /** Undefined for an answer that has none (304). */
  readonly body: string | undefined;
}

const ADDED_BY_ANY_SERVER = /^(content-length|date|connection|keep-alive):/i;
const TIMEOUT_MS = 10_000;

/** Sends one request on a connection of its own and keeps the answer, byte for byte. Bodies are UTF-8. */
export function recordAnswer(port: number, request: LoadRequest): Promise<RecordedAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = createConnection({ host: "127.0.0.1", port }, () =>
      socket.write(rawRequest(request)),
    );
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer to ${request.path}`)));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`the answer to ${request.path} was cut off`)));
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      const answer = wholeAnswer(Buffer.concat(chunks));
      if (answer === undefined) return;
      resolve(answer);
      socket.destroy();
    });
  });
}

/** The answer in these bytes, or undefined while some are missing. */
function wholeAnswer(bytes: Buffer): RecordedAnswer | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const length = lines.find((line) => /^content-length:/i.test(line))?.split(":")[1];
  const body = bytes.subarray(headEnd + 4);
  if (body.length < Number(length ?? 0)) return undefined;
  return {
    status: statusLine.slice(statusLine.indexOf(" ") + 1),
    headers: lines.filter((line) => !ADDED_BY_ANY_SERVER.test(line)),
    body: length === undefined ? undefined : body.toString("utf8"),
  };
}

/** The status code: the number before the reason. */
export function statusCodeOf({ status }: RecordedAnswer): number {
  return Number(status.slice(0, 3));
}
