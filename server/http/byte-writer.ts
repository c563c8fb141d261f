import type { ConstantText } from "./constant-text.ts";

const ZERO = 48;
const LETTER_A = 97;
const POINT = 46;
/** Text and bytes up to this length are copied by a loop, which costs less than a call into the runtime. */
const SHORT_MAX = 12;
/** Larger numbers are written in parts. What is divided then fits into 31 bits, which halves the cost. */
const BILLION = 1_000_000_000;
const DIGITS_OF_A_BILLION = 9;
/**
 * The two digits of each number below a hundred, the first in the lower byte. They halve the divisions and
 * writes.
 */
const PAIRS = Uint16Array.from(
  { length: 100 },
  (_, pair) => ZERO + Math.floor(pair / 10) + ((ZERO + (pair % 10)) << 8),
);
/** Words and pairs are written whole, so up to this many bytes after the end are overwritten. */
const SLACK_BYTES = 8;
/** Longer texts are so rare that their views are not kept. */
const VIEWS_MAX = 32 * 1024;
/** Digits of a decimal, and the first number that has one more. */
const DECIMAL_DIGITS = 10;
const TEN_BILLION = 10 ** DECIMAL_DIGITS;
/** The longest decimal: ten digits after "0." and five zeros. */
const DECIMAL_BYTES_MAX = 17;
const EIGHT_DIGITS = 100_000_000;

/**
 * Builds ASCII text as bytes, in one memory that is reused. Joining and encoding strings, which is most of
 * what a short answer would cost, is avoided.
 *
 * `written` is a view of that memory and holds until the next `clear`.
 */
export class ByteWriter {
  #memory: Buffer;
  #words: DataView;
  #length = 0;
  /** Kept by length, because lengths recur and a view costs more than the bytes it shows. */
  #views: (Buffer | undefined)[];

  constructor(capacity: number) {
    this.#memory = Buffer.alloc(capacity + SLACK_BYTES);
    this.#words = wordsOf(this.#memory);
    this.#views = viewsOf(this.#memory);
  }

  get length(): number {
    return this.#length;
  }

  get written(): Buffer {
    if (this.#length >= this.#views.length) return this.#memory.subarray(0, this.#length);
    return (this.#views[this.#length] ??= this.#memory.subarray(0, this.#length));
  }

  clear(): void {
    this.#length = 0;
  }

  bytes(part: Uint8Array): void {
    const { length } = part;
    this.#reserve(length);
    const memory = this.#memory;
    const at = this.#length;
    if (length > SHORT_MAX) memory.set(part, at);
    else for (let index = 0; index < length; index++) memory[at + index] = part[index]!;
    this.#length = at + length;
  }

  constant({ words, length }: ConstantText): void {
    this.words(words, 0, length);
  }

  /**
   * ASCII text that begins at one of many words: see `ConstantText`. For short texts, copying eight
   * characters at a time is several times as fast as the platform's copy.
   */
  words(words: Float64Array, first: number, length: number): void {
    this.#reserve(length);
    const to = this.#words;
    const at = this.#length;
    for (let done = 0; done < length; done += 8) {
      to.setFloat64(at + done, words[first + (done >> 3)]!, true);
    }
    this.#length = at + length;
  }

  /** Characters up to U+00FF, one byte each. */
  text(part: string): void {
    this.#reserve(part.length);
    if (part.length > SHORT_MAX) {
      this.#length += this.#memory.write(part, this.#length, "latin1");
      return;
    }
    for (let index = 0; index < part.length; index++) {
      this.#memory[this.#length + index] = part.charCodeAt(index);
    }
    this.#length += part.length;
  }

  /** A number in decimal, as String() would write it. */
  integer(value: number): void {
    const whole = value | 0;
    if (whole !== value || whole < 0) {
      this.#longInteger(value);
      return;
    }
    const digits = digitsOf(whole);
    this.#reserve(digits);
    this.#length += digits;
    this.#decimalBackward(whole, digits, this.#length);
  }

  #longInteger(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      this.text(String(value));
      return;
    }
    const high = Math.floor(value / BILLION);
    this.integer(high);
    this.padded(value - high * BILLION, DIGITS_OF_A_BILLION);
  }

  /** A non-negative whole number in base 36, as toString(36) would write it. */
  base36(value: number): void {
    if (value >= BILLION) {
      this.text(value.toString(36));
      return;
    }
    let digits = 1;
    for (let rest = (value / 36) | 0; rest > 0; rest = (rest / 36) | 0) digits++;
    this.#reserve(digits);
    this.#length += digits;
    let at = this.#length;
    for (let rest = value | 0; digits > 0; digits--) {
      const next = (rest / 36) | 0;
      const digit = rest - next * 36;
      this.#memory[--at] = digit < 10 ? ZERO + digit : LETTER_A - 10 + digit;
      rest = next;
    }
  }

  /** A number of ten digits, or 10^10, divided by 10^`decimals` (up to 15), without trailing zeros. */
  decimal(tenDigits: number, decimals: number): void {
    if (tenDigits === TEN_BILLION) {
      this.text(String(tenDigits / 10 ** decimals));
      return;
    }
    this.#reserve(DECIMAL_BYTES_MAX);
    const memory = this.#memory;
    const start = this.#length;
    let point = start + 1;
    let first = start + 1;
    if (decimals >= DECIMAL_DIGITS) {
      memory[start] = ZERO;
      first = point + 1;
      for (let zeros = decimals - DECIMAL_DIGITS; zeros > 0; zeros--) memory[first++] = ZERO;
      this.#tenDigits(first, tenDigits);
    } else {
      point = start + DECIMAL_DIGITS - decimals;
      this.#tenDigits(start, tenDigits);
      this.#moveNine(point);
    }
    memory[point] = POINT;
    let end = first + DECIMAL_DIGITS;
    while (memory[end - 1] === ZERO && end > point) end--;
    this.#length = end - 1 === point ? point : end;
  }

  /** Makes room for a point: at most nine digits follow it. Moving them one by one costs as much as writing them. */
  #moveNine(at: number): void {
    const to = this.#words;
    const first = to.getInt32(at, true);
    const second = to.getInt32(at + 4, true);
    const last = to.getInt8(at + 8);
    to.setInt32(at + 1, first, true);
    to.setInt32(at + 5, second, true);
    to.setInt8(at + 9, last);
  }

  #tenDigits(at: number, digits: number): void {
    const to = this.#words;
    const high = Math.floor(digits / EIGHT_DIGITS) | 0;
    const low = (digits - high * EIGHT_DIGITS) | 0;
    const middle = (low / 10_000) | 0;
    const last = low - 10_000 * middle;
    const middleHigh = (middle / 100) | 0;
    const lastHigh = (last / 100) | 0;
    to.setUint16(at, PAIRS[high]!, true);
    to.setUint16(at + 2, PAIRS[middleHigh]!, true);
    to.setUint16(at + 4, PAIRS[middle - 100 * middleHigh]!, true);
    to.setUint16(at + 6, PAIRS[lastHigh]!, true);
    to.setUint16(at + 8, PAIRS[last - 100 * lastHigh]!, true);
  }

  /** A non-negative whole number padded with zeros to exactly this many digits, at most 9. */
  padded(value: number, digits: number): void {
    this.#reserve(digits);
    this.#length += digits;
    this.#decimalBackward(value | 0, digits, this.#length);
  }

  /** The last digits of a number below 2^31, written backwards and ending before `end`. */
  #decimalBackward(value: number, digits: number, end: number): void {
    const to = this.#words;
    let rest = value;
    let at = end;
    let left = digits;
    for (; left > 1; left -= 2) {
      const next = (rest / 100) | 0;
      at -= 2;
      to.setUint16(at, PAIRS[rest - 100 * next]!, true);
      rest = next;
    }
    if (left > 0) to.setUint8(at - 1, ZERO + (rest % 10));
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes + SLACK_BYTES;
    if (needed <= this.#memory.length) return;
    const roomier = Buffer.alloc(2 * needed);
    roomier.set(this.#memory.subarray(0, this.#length));
    this.#memory = roomier;
    this.#words = wordsOf(roomier);
    this.#views = viewsOf(roomier);
  }
}

/** How many digits a whole number below 2^31 has. */
function digitsOf(whole: number): number {
  if (whole < 100_000) {
    if (whole < 100) return whole < 10 ? 1 : 2;
    if (whole < 10_000) return whole < 1000 ? 3 : 4;
    return 5;
  }
  if (whole < 10_000_000) return whole < 1_000_000 ? 6 : 7;
  if (whole < BILLION) return whole < 100_000_000 ? 8 : 9;
  return 10;
}

function wordsOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Room for a view of each length. An array that grew with gaps would turn into a hash table. */
function viewsOf(memory: Buffer): (Buffer | undefined)[] {
  return Array<undefined>(Math.min(memory.length, VIEWS_MAX) + 1).fill(undefined);
}

/** Constant text, ready to write. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
