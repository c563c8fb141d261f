const WORD_BYTES = 8;
const NOT_ASCII = /[^\x20-\x7e\r\n]/;

/**
 * ASCII text that is written again and again, cut into words of eight characters. The last word is padded.
 */
export interface ConstantText {
  readonly length: number;
  /**
   * Each float64 holds eight characters. No eight ASCII characters form a NaN, whose bits might not survive a
   * copy.
   */
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
