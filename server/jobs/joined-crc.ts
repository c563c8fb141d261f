/** The polynomial of CRC-32 (RFC 1952), with the lowest power in the highest bit. */
const POLYNOMIAL = 0xedb88320;
/** x^0 in that bit order. */
const ONE = 0x80000000;
const X = 0x40000000;
/** The polynomial's order is 2^32 - 1, so the powers x^(2^index) repeat after this many. */
const BITS = 32;

/** x^(2^index). */
const SQUARES = squaresOf(X);

/**
 * The CRC-32 of two concatenated texts, from the checksum of each and the length of the second. It takes a
 * few microseconds, whatever the length.
 *
 * The checksum is the remainder of a text read as a polynomial over GF(2). Moving a text up by n bytes
 * therefore multiplies it by x^(8n) (Williams, "A painless guide to CRC error detection algorithms", 1993).
 */
export function joinedCrc(first: number, second: number, secondBytes: number): number {
  return (product(powerOfX(secondBytes), first) ^ second) >>> 0;
}

/** x^(8 bytes), by squaring. */
function powerOfX(bytes: number): number {
  let power = ONE;
  const eighth = 3; // 8 is 2^3
  for (let index = eighth, left = bytes; left > 0; index++, left >>>= 1) {
    if ((left & 1) !== 0) power = product(SQUARES[index % BITS]!, power);
  }
  return power;
}

/** The product of two polynomials, modulo the checksum's. */
function product(one: number, other: number): number {
  let sum = 0;
  let moved = other;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) sum ^= moved;
    moved = (moved & 1) === 0 ? moved >>> 1 : (moved >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

function squaresOf(x: number): readonly number[] {
  const squares: number[] = [];
  for (let square = x; squares.length < BITS; square = product(square, square))
    squares.push(square);
  return squares;
}
