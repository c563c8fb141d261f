import { ArrowEncoder } from "../../snapshots/arrow-writer.ts";
import type { Table, TableBlock } from "../../snapshots/tables/table.ts";
import { streamOf } from "../../snapshots/tables/table.ts";

/** The bytes of an Arrow file of these blocks. */
export function encodeArrow(table: Table, blocks: readonly TableBlock[]): Uint8Array {
  const encoder = new ArrowEncoder(table, streamOf(table, blocks).texts);
  const pieces = blocks.flatMap((block) => encoder.encode(block));
  return new Uint8Array(Buffer.concat([...pieces, ...encoder.end()]));
}
