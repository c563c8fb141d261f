/**
 * SHA-256 of bytes, in hexadecimal: FIPS 180-4. It is written out because it also runs in a browser, whose own digest is
 * asynchronous.
 */
export function sha256(bytes: Uint8Array): string {
  const state = Int32Array.from(INITIAL);
  const words = new Int32Array(64);
  const padded = paddedTail(bytes);
  const whole = bytes.length - (bytes.length % BLOCK);
  for (let at = 0; at < whole; at += BLOCK) mixBlock(state, words, bytes.subarray(at, at + BLOCK));
  for (let at = 0; at < padded.length; at += BLOCK) {
    mixBlock(state, words, padded.subarray(at, at + BLOCK));
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const BLOCK = 64;
const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractions of the square roots of the first eight primes. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
/** The same of the cube roots of the first 64. */
const ROUNDS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

function fractionBits(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
}

/** The bytes after the last whole block, a 1 bit, zeros, and the length in bits. */
function paddedTail(bytes: Uint8Array): Uint8Array {
  const rest = bytes.length % BLOCK;
  const tail = new Uint8Array(rest < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  tail.set(bytes.subarray(bytes.length - rest));
  tail[rest] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(tail.length - 4, (bytes.length * 8) >>> 0);
  return tail;
}

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function mixBlock(state: Int32Array, words: Int32Array, block: Uint8Array): void {
  for (let index = 0; index < 16; index++) {
    const at = 4 * index;
    words[index] =
      (block[at]! << 24) | (block[at + 1]! << 16) | (block[at + 2]! << 8) | block[at + 3]!;
  }
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!;
    const late = words[index - 2]!;
    const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16]! + one + words[index - 7]! + two;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state; // it has eight words
  for (let round = 0; round < 64; round++) {
    const ofE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const one = (h + ofE + chosen + ROUNDS[round]! + words[round]!) | 0;
    const ofA = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (ofA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index]! += word;
}
