const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Finds the ends of HTTP/1.1 answers in the bytes of one connection. It does only what a load generator needs
 * for a server it knows: a status and `Content-Length`. An answer without a length has no body (304). Chunked
 * answers are not supported.
 */
export class AnswerSplitter {
  #held: Buffer = Buffer.alloc(0);
  readonly #onAnswer: (status: number) => void;

  constructor(onAnswer: (status: number) => void) {
    this.#onAnswer = onAnswer;
  }

  /** Takes the bytes that came; calls back once for every answer that is now complete. */
  add(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      const end = endOfAnswer(bytes);
      if (end === undefined || end > bytes.length) break;
      const status = Number(bytes.toString("latin1", STATUS_AT, STATUS_AT + 3));
      bytes = bytes.subarray(end);
      this.#onAnswer(status);
    }
    this.#held = bytes;
  }
}

/**
 * Where the first answer ends, possibly past the bytes that are there; undefined while its head is
 * incomplete.
 */
function endOfAnswer(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = CONTENT_LENGTH.exec(bytes.toString("latin1", 0, headEnd))?.[1];
  return headEnd + HEAD_END.length + Number(length ?? 0);
}
