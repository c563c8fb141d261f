const ZERO = 48;
const LETTER_A = 97;
/** Larger numbers are written in parts: what is divided then fits 31 bits, which costs half as much. */
const BILLION = 1_000_000_000;
const DIGITS_OF_A_BILLION = 9;

/**
 * ASCII text put together as bytes, in one memory that is used again and again. What is written so needs no
 * strings joined and none encoded, which is most of what a short answer costs.
 *
 * `written` is a view into that memory: it holds until the next `clear`.
 */
export class ByteWriter {
  #memory: Buffer;
  #length = 0;
  /** A view costs more than the bytes it shows, and lengths come again: kept by length. */
  #views: (Uint8Array | undefined)[] = [];

  constructor(capacity: number) {
    this.#memory = Buffer.alloc(capacity);
  }

  get length(): number {
    return this.#length;
  }

  get written(): Uint8Array {
    return (this.#views[this.#length] ??= this.#memory.subarray(0, this.#length));
  }

  clear(): void {
    this.#length = 0;
  }

  bytes(part: Uint8Array): void {
    this.#reserve(part.length);
    this.#memory.set(part, this.#length);
    this.#length += part.length;
  }

  /** Characters up to U+00FF, a byte each. */
  text(part: string): void {
    this.#reserve(part.length);
    this.#length += this.#memory.write(part, this.#length, "latin1");
  }

  /** A number in decimal, as String() would write it. */
  integer(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0)) {
      this.text(String(value));
      return;
    }
    if (value < BILLION) {
      this.#digits(value, 10);
      return;
    }
    const high = Math.floor(value / BILLION);
    this.integer(high);
    this.#padded(value - high * BILLION);
  }

  /** A whole number from 0 in base 36, as toString(36) would write it. */
  base36(value: number): void {
    if (value < BILLION) this.#digits(value, 36);
    else this.text(value.toString(36));
  }

  #digits(value: number, base: 10 | 36): void {
    let digits = 1;
    for (let rest = (value / base) | 0; rest > 0; rest = (rest / base) | 0) digits++;
    this.#reserve(digits);
    this.#length += digits;
    this.#backward(value, base, digits);
  }

  #padded(value: number): void {
    this.#reserve(DIGITS_OF_A_BILLION);
    this.#length += DIGITS_OF_A_BILLION;
    this.#backward(value, 10, DIGITS_OF_A_BILLION);
  }

  /** The last digits of a number, ending where the text ends. */
  #backward(value: number, base: 10 | 36, digits: number): void {
    const memory = this.#memory;
    let rest = value | 0;
    let at = this.#length;
    for (let left = digits; left > 0; left--) {
      const next = (rest / base) | 0;
      const digit = rest - next * base;
      memory[--at] = digit < 10 ? ZERO + digit : LETTER_A - 10 + digit;
      rest = next;
    }
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#memory.length) return;
    const roomier = Buffer.alloc(2 * needed);
    roomier.set(this.#memory.subarray(0, this.#length));
    this.#memory = roomier;
    this.#views = [];
  }
}

/** Constant text, ready to be written. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
