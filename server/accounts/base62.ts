import { randomBytes } from "node:crypto";

/** Digits 0 to 61 in ASCII order, so that encoded numbers of equal length sort numerically. */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of 62 in a byte. Bytes from here up are redrawn: every digit is equally likely. */
const UNBIASED_BYTES = 248;

/** Gives `size` random bytes; `crypto.randomBytes` outside tests. */
export type RandomBytes = (size: number) => Uint8Array;

/** Random base-62 characters, each equally likely. */
export function randomBase62(length: number, random: RandomBytes = randomBytes): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < UNBIASED_BYTES) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** A whole number as exactly `digits` base-62 characters, most significant first, padded with "0". */
export function encodeBase62(value: number, digits: number): string {
  let text = "";
  let rest = value;
  for (let place = 0; place < digits; place++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  if (rest !== 0) throw new RangeError(`${value} does not fit into ${digits} base-62 digits`);
  return text;
}
