import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { KeyEnvironment } from "./accounts.ts";
import { encodeBase62, randomBase62, type RandomBytes } from "./base62.ts";

/**
 * An API key is `hs_<env>_<token>`, 44 characters. The token is 30 random base-62 characters (178
 * bits) and 6 that encode the CRC-32 (IEEE, as in zlib) of the 38 characters before them, in ASCII
 * digit order `0-9A-Za-z`, most significant first. A mistyped key is refused without a look-up, and
 * secret scanners can tell a key from noise.
 *
 * How long a refusal takes: a mistyped key costs a checksum, an unknown or revoked one a hash and a
 * look-up of the same kind. The difference tells a guesser nothing but the checksum, which anyone
 * can compute.
 */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^hs_(live|test)_[0-9A-Za-z]{36}$/;
const SHOWN_START = 12;
const SHOWN_END = 4;

export const KEY_LENGTH = 44;
export const KEY_ENVIRONMENTS: readonly KeyEnvironment[] = ["live", "test"];

/** A new key. It is shown once; only `hashKey` of it is kept. */
export function makeKey(env: KeyEnvironment, random?: RandomBytes): string {
  const stem = `hs_${env}_${randomBase62(RANDOM_LENGTH, random)}`;
  return stem + checksum(stem);
}

/** The environment of a well-formed key whose checksum holds; undefined for anything else. */
export function environmentOf(key: string): KeyEnvironment | undefined {
  const env = SHAPE.exec(key)?.[1];
  if (env === undefined) return undefined;
  const stem = key.slice(0, -CHECKSUM_LENGTH);
  if (key.slice(-CHECKSUM_LENGTH) !== checksum(stem)) return undefined;
  return env === "live" ? "live" : "test";
}

/**
 * What is stored in a key's place: its SHA-256, in hex. No salt and no slow hash: the key itself is
 * 178 random bits, which nobody can search.
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
