import type { Panel } from "./panel.ts";
import { sha256 } from "./sha256.ts";

/**
 * SHA-256 of a panel: its instants and then each column, as little-endian float64, and the names, each followed
 * by a line feed. The same panel gives the same digest, whatever file it came in.
 */
export function panelDigest({ instants, columns, names }: Panel): string {
  const text = new TextEncoder().encode(names.map((name) => `${name}\n`).join(""));
  const rows = instants.length;
  const bytes = new Uint8Array(8 * rows * (columns.length + 1) + text.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const column of [instants, ...columns]) {
    for (let row = 0; row < rows; row++, at += 8) view.setFloat64(at, column[row]!, true);
  }
  bytes.set(text, at);
  return sha256(bytes);
}
