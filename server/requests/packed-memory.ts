/** A piece holds many records. A record longer than a piece gets one of its own. */
const PIECE_BYTES = 1024 * 1024;
/** Records begin at whole words, so that they can be read and copied word by word. */
export const WORD_BYTES = 8;
export const INTEGER_BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Words in a piece. A place combines the number of a piece with that of a word in it. */
const PIECE_WORDS = PIECE_BYTES / WORD_BYTES;

/** One stretch of memory, seen as bytes, as numbers and as words of eight bytes. */
export class Piece {
  readonly bytes: Buffer;
  readonly integers: Int32Array;
  readonly words: Float64Array;
  /** How many words are taken. */
  filled = 0;

  constructor(sizeBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(Math.ceil(sizeBytes / WORD_BYTES) * WORD_BYTES);
    const { buffer } = this.bytes;
    this.integers = new Int32Array(buffer);
    this.words = new Float64Array(buffer);
  }
}

/**
 * Memory that is taken bit by bit and given up as a whole. It keeps many records in few objects. To read a
 * record that has left the processor's cache, only its own bytes are fetched, instead of a dozen objects that
 * lead to them.
 */
export class PackedMemory {
  readonly #pieces: Piece[] = [];
  #last: Piece | undefined = undefined;
  #lastNumber = 0;
  #takenBytes = 0;

  /** Bytes of all records together. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Takes memory for a record and returns its place, a number above 0. */
  take(sizeBytes: number): number {
    const words = Math.ceil(sizeBytes / WORD_BYTES);
    if (words > PIECE_WORDS) return this.adopt(new Piece(sizeBytes));
    this.#takenBytes += words * WORD_BYTES;
    if (this.#last === undefined || this.#last.filled + words > PIECE_WORDS) {
      this.#last = new Piece(PIECE_BYTES);
      this.#lastNumber = this.#add(this.#last);
    }
    const place = this.#lastNumber * PIECE_WORDS + this.#last.filled;
    this.#last.filled += words;
    return place;
  }

  /** Takes a piece that was filled elsewhere as one record, and returns its place. */
  adopt(piece: Piece): number {
    this.#takenBytes += piece.words.length * WORD_BYTES;
    return this.#add(piece) * PIECE_WORDS;
  }

  /** Pieces are numbered from 1, so that no place is 0. */
  #add(piece: Piece): number {
    return this.#pieces.push(piece);
  }

  pieceAt(place: number): Piece {
    return this.#pieces[((place / PIECE_WORDS) | 0) - 1]!; // the place came from `take`
  }

  /** Offset of the record's first byte in its piece. */
  offsetAt(place: number): number {
    return (place & (PIECE_WORDS - 1)) * WORD_BYTES;
  }
}
