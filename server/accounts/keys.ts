import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyEnvironment } from "./accounts.ts";
import { BASE62, encodeBase62, randomBase62, type RandomBytes } from "./base62.ts";

/**
 * An API key is `hs_<env>_<token>`, 44 characters. The token is 30 random base-62 characters (178 bits) and 6
 * that encode the CRC-32 (IEEE, as in zlib) of the 38 characters before them, in ASCII digit order
 * `0-9A-Za-z`, most significant first. The checksum lets us refuse a mistyped key without a look-up, and lets
 * secret scanners tell a key from noise.
 *
 * Timing: a mistyped key costs a checksum, an unknown or revoked one a hash and a look-up. The difference
 * tells a guesser only whether the checksum holds, which anyone can compute.
 */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = "hs_live_".length;
const STEM_LENGTH = PREFIX_LENGTH + RANDOM_LENGTH;
const SHOWN_START = 12;
const SHOWN_END = 4;

export const KEY_LENGTH = STEM_LENGTH + CHECKSUM_LENGTH;
export const KEY_ENVIRONMENTS: readonly KeyEnvironment[] = ["live", "test"];

/** A new key. It is shown once; only its `hashKey` is kept. */
export function makeKey(env: KeyEnvironment, random?: RandomBytes): string {
  const stem = `hs_${env}_${randomBase62(RANDOM_LENGTH, random)}`;
  return stem + checksum(stem);
}

/** The environment of a well-formed key whose checksum holds; undefined for anything else. */
export function environmentOf(key: string): KeyEnvironment | undefined {
  const env = key.startsWith("hs_live_") ? "live" : key.startsWith("hs_test_") ? "test" : undefined;
  if (env === undefined || key.length !== KEY_LENGTH) return undefined;
  // Written without a call into the runtime and without new strings: this is all that a flood of wrong keys
  // costs.
  let crc = -1;
  for (let at = 0; at < STEM_LENGTH; at++) {
    const code = key.charCodeAt(at);
    if (at >= PREFIX_LENGTH && !(code < DIGITS.length && DIGITS[code]! >= 0)) return undefined;
    crc = CRC[(crc ^ code) & 255]! ^ (crc >>> 8);
  }
  let sum = 0;
  for (let at = STEM_LENGTH; at < KEY_LENGTH; at++) {
    const code = key.charCodeAt(at);
    if (!(code < DIGITS.length && DIGITS[code]! >= 0)) return undefined;
    sum = sum * BASE62.length + DIGITS[code]!;
  }
  return sum === ~crc >>> 0 ? env : undefined;
}

/**
 * What is stored instead of a key: its SHA-256, in hex. It needs no salt and no slow hash, because the key is
 * 178 random bits, too many to search.
 */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** What a list shows of a key: enough to recognise it, too little to use it. */
export function shownParts(key: string): { readonly prefix: string; readonly lastFour: string } {
  return { prefix: key.slice(0, SHOWN_START), lastFour: key.slice(-SHOWN_END) };
}

function checksum(stem: string): string {
  return encodeBase62(crc32(stem), CHECKSUM_LENGTH);
}

/** The value of each base-62 digit by its ASCII code; -1 for any other character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) =>
  BASE62.indexOf(String.fromCharCode(code)),
);

/** CRC-32 of each byte, reflected polynomial 0xEDB88320 (RFC 1952, section 8). */
const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});
