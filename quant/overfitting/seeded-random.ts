/**
 * A seeded generator of uniform numbers in [0, 1), whose state MurmurHash3's 32-bit mixer fills from a seed and a
 * stream. Every draw has a stream of its own, so the order in which threads take the draws changes nothing.
 */
export function seededRandom(seed: number, stream: number): () => number {
  let mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b);
  const next = () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let word = mixed ^ (mixed >>> 16);
    word = Math.imul(word, 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return word ^ (word >>> 16);
  };
  return xoshiro128([next(), next(), next(), next() | 1]); // never all zero
}

/**
 * xoshiro128** from a state that is not all zero: Blackman and Vigna 2021, "Scrambled linear pseudorandom
 * number generators". Each number has 32 random bits: enough to shuffle a few thousand blocks, not for
 * cryptography.
 */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  return () => {
    const scaled = Math.imul(b, 5);
    const result = Math.imul((scaled << 7) | (scaled >>> 25), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return (result >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to `below` - 1. */
export function randomBelow(below: number, random: () => number): number {
  return Math.floor(random() * below);
}
