const WORD_BYTES = 8;
const NOT_ASCII = /[^\x20-\x7e\r\n]/;

/** ASCII text that is written again and again, cut into words of eight characters; the last is filled up. */
export interface ConstantText {
  readonly length: number;
  /** Each holds its characters as a float64: no eight of ASCII make a NaN, which could lose some. */
  readonly words: Float64Array;
}

/** Makes a text ready for `ByteWriter.constant`. */
export function constantText(text: string): ConstantText {
  if (NOT_ASCII.test(text))
    throw new RangeError(`expected plain ASCII, got ${JSON.stringify(text)}`);
  const bytes = Buffer.alloc(Math.ceil(text.length / WORD_BYTES) * WORD_BYTES);
  bytes.write(text, "latin1");
  const words = Float64Array.from({ length: bytes.length / WORD_BYTES }, (_, word) =>
    bytes.readDoubleLE(word * WORD_BYTES),
  );
  return { length: text.length, words };
}
