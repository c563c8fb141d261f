const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Finds the HTTP/1.1 answers in the bytes of one connection. It does only what a load generator needs for a
 * server it knows: status, body and `Content-Length`. An answer without a length has no body (304). Chunked
 * answers are not supported.
 */
export class AnswerSplitter {
  #held: Buffer = Buffer.alloc(0);
  readonly #onAnswer: (status: number, body: Buffer) => void;

  constructor(onAnswer: (status: number, body: Buffer) => void) {
    this.#onAnswer = onAnswer;
  }

  /** Takes the bytes that came; calls back once for every answer that is now complete. */
  add(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const found = firstAnswer(bytes);
      if (found === undefined || found.end > bytes.length) break;
      const status = Number(bytes.toString("latin1", STATUS_AT, STATUS_AT + 3));
      const body = bytes.subarray(found.bodyAt, found.end);
      bytes = bytes.subarray(found.end);
      this.#onAnswer(status, body);
    }
    this.#held = bytes;
  }
}

/**
 * Where the first answer's body begins and ends, possibly past the bytes that are there; undefined while its
 * head is incomplete.
 */
function firstAnswer(bytes: Buffer): { bodyAt: number; end: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = CONTENT_LENGTH.exec(bytes.toString("latin1", 0, headEnd))?.[1];
  const bodyAt = headEnd + HEAD_END.length;
  return { bodyAt, end: bodyAt + Number(length ?? 0) };
}
