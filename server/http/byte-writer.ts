const ZERO = 48;
const LETTER_A = 97;
const POINT = 46;
/** Short text and bytes are copied by a loop, which costs less than a call into the runtime. */
const SHORT_MAX = 24;
/** Larger numbers are written in parts: what is divided then fits 31 bits, which costs half as much. */
const BILLION = 1_000_000_000;
const DIGITS_OF_A_BILLION = 9;
/** Lengths above it come so seldom that their views are not kept. */
const VIEWS_MAX = 32 * 1024;
/** Digits of the number that `decimal` is at: one memory for all, as there is only one at a time. */
const cells = new Uint8Array(11);
const CELLS = cells.length;
/** Most bytes of a decimal: digits, or as many decimals, with "0." in front. */
const DECIMAL_BYTES_MAX = 20;
const FIVE_DIGITS = 100_000;

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

  /** Characters up to U+00FF, a byte each. */
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
    this.padded(value - high * BILLION, DIGITS_OF_A_BILLION);
  }

  /** A whole number from 0 in base 36, as toString(36) would write it. */
  base36(value: number): void {
    if (value < BILLION) this.#digits(value, 36);
    else this.text(value.toString(36));
  }

  /** `value` / 10^`decimals` without zeros at its end; `value` is whole, from 0 to 10^10, and decimals are up to 15. */
  decimal(value: number, decimals: number): void {
    this.#reserve(DECIMAL_BYTES_MAX);
    fillCells(value);
    const memory = this.#memory;
    const point = CELLS - decimals; // the cell before which it stands, or stood if there were more
    const firstDecimal = Math.max(point, 0);
    let at = this.#length;
    let cell = 0;
    while (cell < point - 1 && cells[cell] === ZERO) cell++;
    if (point <= 0) memory[at++] = ZERO;
    while (cell < point) memory[at++] = cells[cell++]!;
    let end = CELLS;
    while (end > firstDecimal && cells[end - 1] === ZERO) end--;
    if (end > firstDecimal) {
      memory[at++] = POINT;
      for (let zero = point; zero < 0; zero++) memory[at++] = ZERO;
      for (cell = firstDecimal; cell < end; cell++) memory[at++] = cells[cell]!;
    }
    this.#length = at;
  }

  /** A whole number from 0 with exactly so many digits, at most 9: zeros stand in front. */
  padded(value: number, digits: number): void {
    this.#reserve(digits);
    this.#length += digits;
    this.#backward(value, 10, digits, this.#length);
  }

  #digits(value: number, base: 10 | 36): void {
    let digits = 1;
    for (let rest = (value / base) | 0; rest > 0; rest = (rest / base) | 0) digits++;
    this.#reserve(digits);
    this.#length += digits;
    this.#backward(value, base, digits, this.#length);
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

/** The digits of a whole number up to 10^10: divisions of small whole numbers by constants cost least. */
function fillCells(value: number): void {
  const high = Math.floor(value / FIVE_DIGITS) | 0;
  let rest = (value - high * FIVE_DIGITS) | 0;
  for (let cell = CELLS - 1; cell > 5; cell--) {
    const next = (rest / 10) | 0;
    cells[cell] = ZERO + rest - 10 * next;
    rest = next;
  }
  rest = high;
  for (let cell = 5; cell >= 0; cell--) {
    const next = (rest / 10) | 0;
    cells[cell] = ZERO + rest - 10 * next;
    rest = next;
  }
}

/** Room for a view of each length: an array that grew with gaps would be a hash table. */
function viewsOf(memory: Buffer): (Buffer | undefined)[] {
  return Array<undefined>(Math.min(memory.length, VIEWS_MAX) + 1).fill(undefined);
}

/** Constant text, ready to be written. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "latin1"));
}
