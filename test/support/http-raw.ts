import { connect } from "node:net";

/** The text of a request with a `Host`. */
export const requestText = (line: string, headers: readonly string[] = [], body = "") =>
  [`${line} HTTP/1.1`, "Host: test.example", ...headers, "", body].join("\r\n");

/** One response on a raw connection; header names are in lower case. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawResult {
  readonly text: string;
  readonly responses: readonly RawResponse[];
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

export interface RawOptions {
  /** How many responses to wait for; with 0, until the server closes. */
  readonly responses?: number;
  /** Sends the last piece once so many responses have come, as a client does that sends nothing ahead. */
  readonly lastAfter?: number;
  /** Set if the requests are HEAD, whose responses have no body. */
  readonly head?: boolean;
  /** Gives up after this long and returns what came until then. */
  readonly limitMs?: number;
  /** How long to wait after the responses for the server to close. */
  readonly lingerMs?: number;
}

/**
 * Sends the given pieces byte for byte and reads what comes back. Text is latin-1, so that any byte can be
 * sent.
 */
export function sendRaw(
  port: number,
  pieces: string | readonly string[],
  options: RawOptions = {},
): Promise<RawResult> {
  const { responses: wanted = 1, head = false, limitMs = 20_000, lingerMs = 60 } = options;
  const { lastAfter = Infinity } = options;
  const sent = typeof pieces === "string" ? [pieces] : [...pieces];
  let last = lastAfter < Infinity ? sent.pop() : undefined;
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let text = "";
    let closed = false;
    const finish = () => {
      stopWaiting();
      socket.destroy();
      resolve({ text, responses: parseResponses(text, head), closed });
    };
    let stopWaiting = afterRunning(limitMs, finish);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      if (last !== undefined && parseResponses(text, head).length >= lastAfter) {
        socket.write(last, "latin1");
        last = undefined;
      }
      if (wanted > 0 && parseResponses(text, head).length >= wanted) {
        stopWaiting();
        stopWaiting = afterRunning(lingerMs, finish);
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
      finish();
    });
    socket.on("connect", () => void sendPieces(sent, (piece) => socket.write(piece, "latin1")));
  });
}

/**
 * Calls back after this much time in which the process could run, and returns a function that stops it. A pause of the
 * machine counts as one tenth of the time at most, and then the connection has its turn before the next tenth.
 */
function afterRunning(ms: number, call: () => void): () => void {
  let tenths = 0;
  const timer = setInterval(() => {
    if (++tenths === 10) call();
  }, ms / 10);
  return () => clearInterval(timer);
}

async function sendPieces(
  pieces: readonly string[],
  write: (piece: string) => void,
): Promise<void> {
  for (const piece of pieces) {
    write(piece);
    await new Promise((resolve) => setTimeout(resolve, 15)); // so that each piece is a packet of its own
  }
}

/** The complete responses in a text; an incomplete rest is left out. */
export function parseResponses(text: string, head = false): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = text;
  while (rest.startsWith("HTTP/1.1 ")) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) break;
    const [statusLine = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const length = head ? 0 : Number(headers["content-length"] ?? 0);
    const bodyAt = end + 4;
    if (rest.length < bodyAt + length) break;
    const status = Number(statusLine.split(" ")[1]);
    if (status !== 100)
      responses.push({ status, headers, body: rest.slice(bodyAt, bodyAt + length) });
    rest = rest.slice(bodyAt + length);
  }
  return responses;
}
