import { createHash } from "node:crypto";
import type { CoinHistory } from "../quant/bars.ts";
import { INDEX_VERSION } from "../quant/overfitting/index-definition.ts";
import { catalogueFingerprint } from "./catalogue-fingerprint.ts";

/**
 * SHA-256 of everything that a month of the index is computed from. The input is the line `index VERSION CATALOGUE`;
 * then, for each coin in board order, the line of its ticker and its columns up to the month's last day: day as
 * 32-bit integers, open, high, low, close and volume as 64-bit floats, little-endian.
 */
export function indexInputHash(coins: readonly CoinHistory[]): string {
  const hash = createHash("sha256");
  hash.update(`index ${INDEX_VERSION} ${catalogueFingerprint()}\n`);
  for (const { coin, bars } of coins) {
    hash.update(`${coin}\n`);
    for (const column of [bars.day, bars.open, bars.high, bars.low, bars.close, bars.volume]) {
      hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    }
  }
  return hash.digest("hex");
}
