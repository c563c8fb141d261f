/** A part of a file, from its first byte on. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * The part of a file of `size` bytes that a `Range` header names: one of `bytes=a-b`, `a-` and `-n` (RFC 9110, 14.1.2). A
 * last part longer than the file is the whole of it. Undefined for anything else: malformed, several, another unit, or
 * beyond the end.
 */
export function byteRange(header: string, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = RANGE.exec(header) ?? [];
  if (first === "") {
    const length = Math.min(Number(last), size); // "" is 0
    return length > 0 ? { start: size - length, length } : undefined;
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || end < start) return undefined;
  return { start, length: end - start + 1 };
}
