/** Of a key: four of them are asked for, which leaves one unknown key in four hundred for the file to tell. */
const BITS_A_HASH = 16;
const PROBES = 4;
const PROBE_DIGITS = 8;
const BYTES_MIN = 8 * 1024;
/** Room for 16 million hashes; with more of them the filter lets more unknown ones through, and stays right. */
const BYTES_MAX = 32 * 1024 * 1024;

/**
 * A Bloom filter (Bloom 1970) of SHA-256 hashes in hex: it never says of a hash that was added that it was not.
 * The hash's own first words are the places of its bits, since each of them is as good as random.
 */
export class HashFilter {
  /** Hashes it was made for: see `isCrowded`. */
  readonly capacity: number;
  readonly #words: Int32Array;
  /** Bits, less one: a power of two. */
  readonly #mask: number;
  #added = 0;

  constructor(hashes: number) {
    let bytes = BYTES_MIN;
    while (bytes * 8 < hashes * BITS_A_HASH && bytes < BYTES_MAX) bytes *= 2;
    this.#words = new Int32Array(bytes / 4);
    this.#mask = bytes * 8 - 1;
    this.capacity = (bytes * 8) / BITS_A_HASH;
  }

  /** Whether a larger one would let fewer unknown hashes through. Hashes added twice count twice. */
  get isCrowded(): boolean {
    return this.#added > this.capacity && this.#words.byteLength < BYTES_MAX;
  }

  /** Adds the hash whose digits begin at a place of the text. */
  add(text: string, from = 0): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bitOf(text, from, probe);
      this.#words[bit >>> 5]! |= 1 << (bit & 31);
    }
    this.#added += 1;
  }

  /** False only where the hash was never added. */
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

/** Digits of a hash that the filter looks at. */
export const FILTERED_DIGITS = PROBES * PROBE_DIGITS;
