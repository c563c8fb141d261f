const HEAD_END = Buffer.from("\r\n\r\n");
const STATUS_AT = "HTTP/1.1 ".length;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/**
 * Finds the ends of HTTP/1.1 answers in the bytes of one connection. As little as a load generator needs of a server it
 * knows: a status and `Content-Length`; an answer without one has no body (304). Not for chunked answers.
 */
export class AnswerSplitter {
  #held: Buffer = Buffer.alloc(0);
  readonly #onAnswer: (status: number) => void;

  constructor(onAnswer: (status: number) => void) {
    this.#onAnswer = onAnswer;
  }

  /** Takes what came; calls back once for every answer that is now whole. */
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

/** Where the first answer ends, which may be behind the bytes there are; undefined while its head is not whole. */
function endOfAnswer(bytes: Buffer): number | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const length = CONTENT_LENGTH.exec(bytes.toString("latin1", 0, headEnd))?.[1];
  return headEnd + HEAD_END.length + Number(length ?? 0);
}
