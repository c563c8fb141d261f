const MAGIC = 0x184d2204;

/**
 * Unpacks an LZ4 frame by LZ4 Frame Format 1.6.4 and LZ4 Block Format. freqtrade compresses its wallet so (`LZ4_FRAME` in
 * Arrow). Checksums are skipped. Arrow's readers need such a function, and no library has one for browsers.
 */
export function unpackLz4Frame(frame: Uint8Array, size: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new RangeError("no LZ4 frame");
  const flags = view.getUint8(4);
  const blockChecksums = (flags & 0x10) !== 0;
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  const out = new Uint8Array(size);
  let length = 0;
  for (;;) {
    const word = view.getUint32(at, true);
    at += 4;
    if (word === 0) break;
    const end = at + (word & 0x7fffffff);
    if (end > frame.length) throw new RangeError("the LZ4 frame ends early");
    const block = frame.subarray(at, end);
    if (word >>> 31 === 1) {
      out.set(block, length);
      length += block.length;
    } else length = unpackBlock(block, out, length);
    at = end + (blockChecksums ? 4 : 0);
  }
  if (length !== size) throw new RangeError("the LZ4 frame has another size than it should");
  return out;
}

/**
 * Appends a block to the bytes in `out`, and returns how many there are then. A block is a list of sequences: a run of
 * literals, then a copy of earlier bytes, also of earlier blocks. The last sequence has no copy.
 */
function unpackBlock(block: Uint8Array, out: Uint8Array, start: number): number {
  let at = 0;
  let length = start;
  const lengthOf = (nibble: number) => {
    if (nibble < 15) return nibble;
    let total = nibble;
    for (let byte = 255; byte === 255; total += byte) byte = block[at++] ?? 0;
    return total;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthOf(token >> 4);
    const end = at + literals;
    if (end > block.length) throw new RangeError("the LZ4 block ends early");
    out.set(block.subarray(at, end), length);
    length += literals;
    at = end + 2;
    if (end === block.length) break;
    const offset = block[end]! | ((block[end + 1] ?? 0) << 8);
    const copied = lengthOf(token & 15) + 4;
    if (offset === 0 || offset > length || length + copied > out.length)
      throw new RangeError("a bad LZ4 copy");
    for (let step = 0; step < copied; step++, length++) out[length] = out[length - offset]!;
  }
  return length;
}
