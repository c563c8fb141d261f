import {
  CompressionType,
  compressionRegistry,
  DataType,
  tableFromIPC,
  type Vector,
} from "apache-arrow";
import { columnTable, type NamedColumn } from "./column-table.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { unpackLz4Frame } from "./lz4-frame.ts";

const UNPACKED_MAX = 200 * 1024 * 1024;

/** An Arrow IPC file or stream, also called feather, as a table. Buffers may be packed with LZ4. */
export function readArrow(bytes: Uint8Array): Table {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (data) => unpackLz4Frame(data, UNPACKED_MAX),
  });
  try {
    const table = tableFromIPC(bytes);
    const columns = table.schema.fields.map((field, place): NamedColumn => {
      return { name: field.name, cells: cellsOf(table.getChildAt(place)!) }; // a column for each field
    });
    return columnTable(columns, table.schema.metadata.get("pandas"));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const isPacked = error instanceof Error && error.message.includes("codec not found");
    const why = isPacked
      ? 'it is packed with Zstandard: write it with compression="lz4"'
      : "it is damaged";
    throw new FileRefused(`the Arrow file can't be read: ${why}`);
  }
}

function cellsOf(column: Vector): unknown[] {
  const isTime = DataType.isTimestamp(column.type) || DataType.isDate(column.type);
  return Array.from({ length: column.length }, (_, row) => {
    const value = column.get(row) as unknown;
    return isTime && typeof value === "number" ? new Date(value) : value;
  });
}
