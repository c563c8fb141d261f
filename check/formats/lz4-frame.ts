const MAGIC = 0x184d2204;

/**
 * Unpacks an LZ4 frame, in which freqtrade keeps its wallet (Arrow's `LZ4_FRAME`): LZ4 Frame Format 1.6.4 and LZ4
 * Block Format. Checksums are skipped. No available library does this for a browser; apache-arrow asks for one.
 */
export function unpackLz4Frame(frame: Uint8Array, sizeMax: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new RangeError("no LZ4 frame");
  const flags = view.getUint8(4);
  const blockChecksums = (flags & 0x10) !== 0;
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  let out = new Uint8Array(Math.min(sizeMax, 4 * frame.length + 64));
  let length = 0;
  for (;;) {
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) return out.slice(0, length);
    const size = word & 0x7fffffff;
    const block = frame.subarray(at, at + size);
    if (block.length < size) throw new RangeError("the LZ4 frame ends early");
    const needed = length + (word >>> 31 === 1 ? size : unpackedSize(block));
    if (needed > sizeMax) throw new RangeError("the LZ4 frame is larger than it should be");
    out = withRoom(out, length, needed);
    if (word >>> 31 === 1) out.set(block, length);
    else unpackBlock(block, out, length);
    length = needed;
    at += size + (blockChecksums ? 4 : 0);
  }
}

function withRoom(out: Uint8Array, length: number, needed: number): Uint8Array<ArrayBuffer> {
  if (needed <= out.length) return out as Uint8Array<ArrayBuffer>;
  const larger = new Uint8Array(Math.max(needed, 2 * out.length));
  larger.set(out.subarray(0, length));
  return larger;
}

/** Takes the sequences of a block: a run of literals and then a copy of earlier bytes. */
function walk(
  block: Uint8Array,
  each: (literals: Uint8Array, offset: number, copied: number) => void,
): void {
  let at = 0;
  const more = (length: number) => {
    if (length < 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      byte = block[at++] ?? -1;
      if (byte < 0) throw new RangeError("the LZ4 block ends early");
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = more(token >> 4);
    const from = at;
    at += literals;
    if (at > block.length) throw new RangeError("the LZ4 block ends early");
    const run = block.subarray(from, at);
    if (at === block.length) return each(run, 0, 0);
    const offset = block[at]! | ((block[at + 1] ?? 0) << 8);
    at += 2;
    each(run, offset, more(token & 15) + 4);
  }
}

function unpackedSize(block: Uint8Array): number {
  let size = 0;
  walk(block, (literals, _, copied) => (size += literals.length + copied));
  return size;
}

/** Offsets may reach into earlier blocks. */
function unpackBlock(block: Uint8Array, out: Uint8Array, start: number): void {
  let length = start;
  walk(block, (literals, offset, copied) => {
    out.set(literals, length);
    length += literals.length;
    if (copied > 0 && (offset === 0 || offset > length)) throw new RangeError("a bad LZ4 offset");
    for (let step = 0; step < copied; step++, length++) out[length] = out[length - offset]!;
  });
}
