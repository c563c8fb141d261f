import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** The digits 0 to 61 in ASCII order, so that encoded numbers of equal length sort numerically. */
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of 62 that fits in a byte. Larger bytes are drawn again, so that every digit is equally likely. */
const UNBIASED_BYTES = 248;

/** A source of `size` random bytes, such as `crypto.randomBytes`. */
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
  for (let digit = 0; digit < digits; digit++) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  if (rest !== 0) throw new RangeError(`${value} does not fit into ${digits} base-62 digits`);
  return text;
}

/**
 * An API key is `hs_<env>_<token>`, 44 characters. The token is 30 random base-62 characters (178 bits) and 6
 * that encode the CRC-32 (IEEE, as in zlib) of the 38 characters before them, in ASCII digit order
 * `0-9A-Za-z`, most significant first. The checksum lets us refuse a mistyped key without a look-up, and lets
 * secret scanners tell a key from noise.
 * The time of a refusal tells only whether the checksum holds, which anyone can compute.
 */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = "hs_live_".length;
const PREFIX_AND_RANDOM = PREFIX_LENGTH + RANDOM_LENGTH;
const WELL_FORMED = /^hs_(?:live|test)_[0-9A-Za-z]*$/;
const SHOWN_START = 12;
const SHOWN_END = 4;

export const KEY_LENGTH = PREFIX_AND_RANDOM + CHECKSUM_LENGTH;
export const KEY_ENVIRONMENTS = ["live", "test"] as const;
export type KeyEnvironment = (typeof KEY_ENVIRONMENTS)[number];

/** A new key. It is shown once; only its `hashKey` is stored. */
export function makeKey(env: KeyEnvironment, random?: RandomBytes): string {
  const start = `hs_${env}_${randomBase62(RANDOM_LENGTH, random)}`;
  return start + checksum(start);
}

/** The environment of a well-formed key with a correct checksum; undefined for anything else. */
export function environmentOf(key: string): KeyEnvironment | undefined {
  if (key.length !== KEY_LENGTH || !WELL_FORMED.test(key)) return undefined;
  if (checksum(key.slice(0, PREFIX_AND_RANDOM)) !== key.slice(PREFIX_AND_RANDOM)) return undefined;
  return key.startsWith("hs_live_") ? "live" : "test";
}

/** The stored form of a key: its SHA-256, in hex. 178 random bits need no salt and no slow hash. */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** The parts of a key that lists show: enough to recognise it, too little to use it. */
export function shownParts(key: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: key.slice(0, SHOWN_START), lastFour: key.slice(-SHOWN_END) };
}

function checksum(start: string): string {
  return encodeBase62(crc32(start), CHECKSUM_LENGTH);
}

const USUAL = "Bearer ";
const BEARER = /^bearer +(\S.*)$/i;

/**
 * The bearer credential of an `Authorization` header; "" if there is none. It may contain anything, and the account store
 * checks it.
 */
export function bearerOf(authorization: string): string {
  if (authorization.startsWith(USUAL) && !authorization.includes(" ", USUAL.length)) {
    return authorization.slice(USUAL.length);
  }
  return BEARER.exec(authorization)?.[1] ?? "";
}
