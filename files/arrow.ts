import { FileRefused, TooLarge } from "./refused.ts";
import { CompressionType, setCompressionCodec, tableFromIPC, Type } from "@uwdata/flechette";
import type { Column, DataType, DecimalType } from "@uwdata/flechette";
import { decompress } from "fzstd";
import { checkCells, columnTable, type NamedColumn } from "./column-table.ts";
import type { Table } from "./csv.ts";
import { unpackLz4Frame } from "./lz4-frame.ts";

const encode = (): never => {
  throw new Error("nothing is packed here");
};
setCompressionCodec(CompressionType.LZ4_FRAME, { decode: unpackLz4Frame, encode });
setCompressionCodec(CompressionType.ZSTD, {
  decode: (bytes, size) => decompress(bytes, new Uint8Array(size)),
  encode,
});

/**
 * An Arrow IPC file, also called feather, or stream as a table of at most `cellsMax` cells. Its buffers may be compressed
 * with LZ4 or Zstandard.
 */
export function readArrow(bytes: Uint8Array, cellsMax: number): Table {
  try {
    // Columns are views that have to begin at a multiple of their width. In a copy, they do.
    const table = tableFromIPC(new Uint8Array(bytes), {
      useBigInt: true,
      useDate: true,
      useDecimalInt: true,
    });
    checkCells(table.numCols, table.numRows, bytes, cellsMax);
    const columns = table.schema.fields.map(({ name }, index): NamedColumn => {
      return { name, cells: cellsOf(table.getChildAt(index), table.numRows) };
    });
    return columnTable(columns, table.schema.metadata?.get("pandas"));
  } catch (error) {
    if (error instanceof FileRefused || error instanceof TooLarge) throw error;
    throw new FileRefused("the Arrow file can't be read: it is damaged; write or load it anew");
  }
}

function cellsOf(column: Column<unknown>, length: number): unknown[] {
  const type = column.type.typeId === Type.Dictionary ? column.type.dictionary : column.type;
  // No panel needs lists, and a damaged one may be of any length.
  if ("children" in type) return Array.from({ length }, () => "(...)");
  const cells = Array.from(column);
  if (cells.length !== length) throw new RangeError("a column has not a value for each row");
  if (!isDecimal(type)) return cells;
  return cells.map((value) => (value === null ? null : `${value as bigint}e${-type.scale}`));
}

const isDecimal = (type: DataType): type is DecimalType => type.typeId === Type.Decimal;
