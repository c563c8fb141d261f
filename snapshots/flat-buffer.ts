/**
 * Reads a FlatBuffers table in place: just what the description of an Arrow file needs, and each field only
 * when it is used. The library's own reader makes an object of every column of every batch, and merely
 * loading that library takes longer than reading this way.
 *
 * Layout: FlatBuffers, "FlatBuffer Internals", sections "Tables", "Vectors", "Strings". All numbers are
 * little-endian.
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;

  private constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
  }

  /** The root table of a buffer. */
  static rootOf(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** An absent number is 0: the format's default for every field that is read here. */
  byte(field: number): number {
    const at = this.#fieldAt(field);
    return at === 0 ? 0 : this.#view.getUint8(at);
  }

  long(field: number): number {
    const at = this.#fieldAt(field);
    return at === 0 ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  table(field: number): FlatTable | undefined {
    const at = this.#fieldAt(field);
    return at === 0 ? undefined : new FlatTable(this.#view, this.#target(at));
  }

  text(field: number): string {
    const at = this.#fieldAt(field);
    if (at === 0) return "";
    const target = this.#target(at);
    const start = this.#view.byteOffset + target + 4;
    // A copy, because a decoder does not accept shared memory.
    const bytes = new Uint8Array(this.#view.buffer, start, this.#view.getUint32(target, true));
    return new TextDecoder().decode(bytes.slice());
  }

  tables(field: number): FlatTable[] {
    const { length, at } = this.#vector(field);
    return Array.from({ length }, (_, index) => {
      const element = at + index * 4;
      return new FlatTable(this.#view, this.#target(element));
    });
  }

  /** A vector of structures of `sizeBytes` each. */
  structures(field: number, sizeBytes: number): FlatStructures {
    return new FlatStructures(this.#view, { ...this.#vector(field), sizeBytes });
  }

  #vector(field: number): { length: number; at: number } {
    const at = this.#fieldAt(field);
    if (at === 0) return { length: 0, at: 0 };
    const target = this.#target(at);
    return { length: this.#view.getUint32(target, true), at: target + 4 };
  }

  /**
   * Where a field is, or 0 when the table does not have it. The table points to its own list of field
   * offsets.
   */
  #fieldAt(field: number): number {
    const list = this.#at - this.#view.getInt32(this.#at, true);
    const entry = 4 + field * 2;
    if (entry >= this.#view.getUint16(list, true)) return 0;
    const offset = this.#view.getUint16(list + entry, true);
    return offset === 0 ? 0 : this.#at + offset;
  }

  #target(at: number): number {
    return at + this.#view.getUint32(at, true);
  }
}

/** Structures one after the other, each holding a few numbers at fixed offsets. */
export class FlatStructures {
  readonly length: number;
  readonly #view: DataView;
  readonly #at: number;
  readonly #sizeBytes: number;

  constructor(
    view: DataView,
    { length, at, sizeBytes }: { length: number; at: number; sizeBytes: number },
  ) {
    this.length = length;
    this.#view = view;
    this.#at = at;
    this.#sizeBytes = sizeBytes;
  }

  /** The 32-bit number at a byte offset within a structure. */
  int(index: number, offset: number): number {
    return this.#view.getInt32(this.#placeOf(index, offset), true);
  }

  /** The 64-bit number at a byte offset within a structure; exact for any file that fits into memory. */
  long(index: number, offset: number): number {
    return Number(this.#view.getBigInt64(this.#placeOf(index, offset), true));
  }

  #placeOf(index: number, offset: number): number {
    if (index < 0 || index >= this.length) throw new RangeError(`no structure ${index}`);
    return this.#at + index * this.#sizeBytes + offset;
  }
}
