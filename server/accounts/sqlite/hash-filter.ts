/** Bits per key. Each look-up tests four, so one unknown key in four hundred still reaches the file. */
const BITS_A_HASH = 16;
const PROBES = 4;
const PROBE_DIGITS = 8;
const BYTES_MIN = 8 * 1024;
/** Room for 16 million hashes. With more, the filter stays correct but lets more unknown hashes through. */
const BYTES_MAX = 32 * 1024 * 1024;

/**
 * A Bloom filter (Bloom 1970) of SHA-256 hashes in hex: it never denies a hash that was added. The first
 * words of the hash choose the bits directly, since they are as good as random.
 */
export class HashFilter {
  /** How many hashes it was made for: see `isCrowded`. */
  readonly capacity: number;
  readonly #words: Int32Array;
  /** The number of bits, a power of two, less one. */
  readonly #mask: number;
  #added = 0;

  constructor(hashes: number) {
    let bytes = BYTES_MIN;
    while (bytes * 8 < hashes * BITS_A_HASH && bytes < BYTES_MAX) bytes *= 2;
    this.#words = new Int32Array(bytes / 4);
    this.#mask = bytes * 8 - 1;
    this.capacity = (bytes * 8) / BITS_A_HASH;
  }

  /** Whether a larger filter would let fewer unknown hashes through. A hash added twice counts twice. */
  get isCrowded(): boolean {
    return this.#added > this.capacity && this.#words.byteLength < BYTES_MAX;
  }

  /** Adds the hash whose digits begin at `from`. */
  add(text: string, from = 0): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bitOf(text, from, probe);
      this.#words[bit >>> 5]! |= 1 << (bit & 31);
    }
    this.#added += 1;
  }

  /** False only if the hash was never added. */
  mayHold(hash: string): boolean {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bitOf(hash, 0, probe);
      if ((this.#words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #bitOf(text: string, from: number, probe: number): number {
    const first = from + probe * PROBE_DIGITS;
    let word = 0;
    for (let at = first; at < first + PROBE_DIGITS; at++) {
      const code = text.charCodeAt(at);
      word = (word << 4) | (code < 58 ? code - 48 : code - 87); // "0".."9", "a".."f"
    }
    return word & this.#mask;
  }
}

/** How many digits of a hash the filter looks at. */
export const FILTERED_DIGITS = PROBES * PROBE_DIGITS;
