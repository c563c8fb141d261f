const ZERO = 48;
const LETTER_A = 97;
const POINT = 46;
/** Short text is copied by a loop, which costs less than a call into the runtime. */
const SHORT_TEXT_MAX = 24;
/** Larger numbers are written in parts: what is divided then fits 31 bits, which costs half as much. */
const BILLION = 1_000_000_000;
const DIGITS_OF_A_BILLION = 9;
/** Powers of ten up to the most decimals there are. */
const POWERS = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
const HALF = 100_000;
const HALF_DIGITS = 5;

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
  #views: (Buffer | undefined)[];

  constructor(capacity: number) {
    this.#memory = Buffer.alloc(capacity);
    this.#views = viewsOf(this.#memory);
  }

  get length(): number {
    return this.#length;
  }

  get written(): Buffer {
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
    if (part.length > SHORT_TEXT_MAX) {
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

  /** `value` / 10^`decimals` without zeros at its end; `value` is whole, from 0 below 10^14, and decimals are up to 15. */
  decimal(value: number, decimals: number): void {
    const scale = POWERS[decimals]!; // the table has them
    const whole = Math.floor(value / scale);
    if (whole < BILLION) this.#digits(whole, 10);
    else this.integer(whole);
    const fraction = value - whole * scale;
    if (fraction === 0) return;
    this.#reserve(1 + decimals);
    this.#memory[this.#length] = POINT;
    this.#length += 1 + decimals;
    const high = Math.floor(fraction / HALF);
    this.#backward(fraction - high * HALF, 10, Math.min(decimals, HALF_DIGITS), this.#length);
    this.#backward(high, 10, decimals - HALF_DIGITS, this.#length - HALF_DIGITS);
    while (this.#memory[this.#length - 1] === ZERO) this.#length--;
  }

  #digits(value: number, base: 10 | 36): void {
    let digits = 1;
    for (let rest = (value / base) | 0; rest > 0; rest = (rest / base) | 0) digits++;
    this.#reserve(digits);
    this.#length += digits;
    this.#backward(value, base, digits, this.#length);
  }

  #padded(value: number): void {
    this.#reserve(DIGITS_OF_A_BILLION);
    this.#length += DIGITS_OF_A_BILLION;
    this.#backward(value, 10, DIGITS_OF_A_BILLION, this.#length);
  }

  /** The last digits of a number below 2^31, the last of them before `end`. */
  #backward(value: number, base: 10 | 36, digits: number, end: number): void {
    const memory = this.#memory;
    let rest = value | 0;
    let at = end;
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
    this.#views = viewsOf(roomier);
  }
}

/** Room for a view of each length: an array that grew with gaps would be a hash table. */
function viewsOf(memory: Buffer): (Buffer | undefined)[] {
  return Array.from({ length: memory.length + 1 });
}

/** Constant text, ready to be written. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
