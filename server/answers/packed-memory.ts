/** A piece holds many records; what is longer than a piece has one of its own. */
const PIECE_BYTES = 1024 * 1024;
/** Records begin at whole words, so that they can be read and copied by words. */
export const WORD_BYTES = 8;
export const INTEGER_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Words of a piece: a place is the number of its piece and of its word in it. */
const PIECE_WORDS = PIECE_BYTES / WORD_BYTES;

/** One stretch of memory, as bytes, as numbers and as words of eight bytes. */
export class Piece {
  readonly bytes: Buffer;
  readonly integers: Int32Array;
  readonly words: Float64Array;
  /** Words that are taken. */
  filled = 0;

  constructor(sizeBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(Math.ceil(sizeBytes / WORD_BYTES) * WORD_BYTES);
    const { buffer } = this.bytes;
    this.integers = new Int32Array(buffer);
    this.words = new Float64Array(buffer);
  }
}

/**
 * Memory that is taken bit by bit and let go of as a whole. What is read often from many records stands in few objects so:
 * of a record that is no longer in the processor's cache only its own bytes have to be fetched, and not a dozen objects
 * that lead to them.
 */
export class PackedMemory {
  readonly #pieces: Piece[] = [];
  #last: Piece | undefined = undefined;
  #lastNumber = 0;
  #takenBytes = 0;

  /** Of all records together. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes memory for a record and says where it stands: a number above 0. */
  take(sizeBytes: number): number {
    const words = Math.ceil(sizeBytes / WORD_BYTES);
    this.#takenBytes += words * WORD_BYTES;
    if (words > PIECE_WORDS) {
      const own = new Piece(sizeBytes);
      own.filled = words;
      return this.#add(own) * PIECE_WORDS;
    }
    if (this.#last === undefined || this.#last.filled + words > PIECE_WORDS) {
      this.#last = new Piece(PIECE_BYTES);
      this.#lastNumber = this.#add(this.#last);
    }
    const place = this.#lastNumber * PIECE_WORDS + this.#last.filled;
    this.#last.filled += words;
    return place;
  }

  /** Numbered from 1, so that no place is 0. */
  #add(piece: Piece): number {
    return this.#pieces.push(piece);
  }

  pieceAt(place: number): Piece {
    return this.#pieces[((place / PIECE_WORDS) | 0) - 1]!; // of a place that `take` gave
  }

  /** Of the record's first byte in its piece. */
  offsetAt(place: number): number {
    return (place & (PIECE_WORDS - 1)) * WORD_BYTES;
  }
}
