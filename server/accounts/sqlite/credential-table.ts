/** Each text takes one cache line of the processor: its mark and its characters. */
const LINE_WORDS = 16;
const LINE_BYTES = 4 * LINE_WORDS;
const TEXT_AT = 4;
export const TEXT_MAX = LINE_BYTES - TEXT_AT;
const LINES_MIN = 256;
/** How many of the last characters decide where a text is stored; keys differ in those. */
const MIXED = 6;

/**
 * A map whose keys are texts of one length that arrive as a new string object each time.
 *
 * With many entries, hardly any of the table is in the processor's cache when it is needed. This table finds
 * a text by fetching one line of memory; a Map would hash every character first and then fetch four or five
 * lines. Entries cannot be removed singly, only all at once.
 */
export class CredentialTable<Value> {
  readonly #textLength: number;
  #words = new Int32Array(LINES_MIN * LINE_WORDS);
  #bytes = new Uint8Array(this.#words.buffer);
  /** Indexed by line. */
  #values: (Value | undefined)[] = noValues(LINES_MIN);
  #size = 0;

  /** Only texts of exactly this length are kept; it is at most `TEXT_MAX`. */
  constructor(textLength: number) {
    this.#textLength = textLength;
  }

  get size(): number {
    return this.#size;
  }

  get(text: string): Value | undefined {
    return text.length === this.#textLength ? this.#values[this.#lineOf(text)] : undefined;
  }

  /** The text must not contain characters above U+00FF. */
  set(text: string, value: Value): void {
    if (text.length !== this.#textLength) return;
    const line = this.#lineOf(text);
    this.#values[line] = value;
    if (this.#words[line * LINE_WORDS] !== 0) return;
    this.#words[line * LINE_WORDS] = markOf(text);
    for (let at = 0; at < text.length; at++) {
      this.#bytes[line * LINE_BYTES + TEXT_AT + at] = text.charCodeAt(at);
    }
    this.#size += 1;
    if (2 * this.#size > this.#values.length) this.#widen();
  }

  clear(): void {
    this.#begin(LINES_MIN);
    this.#size = 0;
  }

  /** The line that holds a text, or would hold it. */
  #lineOf(text: string): number {
    const mark = markOf(text);
    const last = this.#values.length - 1;
    for (let line = mark >>> 1; ; line++) {
      line &= last;
      const found = this.#words[line * LINE_WORDS]!;
      if (found === 0 || (found === mark && this.#holds(line, text))) return line;
    }
  }

  #holds(line: number, text: string): boolean {
    const bytes = this.#bytes;
    const start = line * LINE_BYTES + TEXT_AT;
    const { length } = text;
    for (let at = 0; at < length; at++) {
      if (bytes[start + at] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #begin(lines: number): void {
    this.#words = new Int32Array(lines * LINE_WORDS);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#values = noValues(lines);
  }

  /** At most every second line is taken, so that a search needs few steps. */
  #widen(): void {
    const words = this.#words;
    const values = this.#values;
    this.#begin(2 * values.length);
    const last = this.#values.length - 1;
    for (const [from, value] of values.entries()) {
      const mark = words[from * LINE_WORDS]!;
      if (mark === 0) continue;
      let line = (mark >>> 1) & last;
      while (this.#words[line * LINE_WORDS] !== 0) line = (line + 1) & last;
      this.#words.set(
        words.subarray(from * LINE_WORDS, (from + 1) * LINE_WORDS),
        line * LINE_WORDS,
      );
      this.#values[line] = value;
    }
  }
}

function noValues<Value>(lines: number): (Value | undefined)[] {
  return Array<Value | undefined>(lines).fill(undefined);
}

/** Always odd, because 0 marks a free line. */
function markOf(text: string): number {
  const { length } = text;
  let mark = length;
  for (let at = length - 1; at >= 0 && at >= length - MIXED; at--) {
    mark = (Math.imul(mark, 31) + text.charCodeAt(at)) | 0;
  }
  return (mark ^ (mark >>> 15)) | 1;
}
