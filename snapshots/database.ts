import {
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDateVector,
  DuckDBInstance,
  INTEGER,
  VARCHAR,
} from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBType, DuckDBVector } from "@duckdb/node-api";
import type { ColumnData, ColumnType, Table, TableBlock } from "./tables/table.ts";
import { checkBlock } from "./tables/table.ts";

/** DuckDB appends at most one vector of rows at a time. */
const CHUNK_ROWS = 2048;
/** Fifteen vectors: small enough that both cores write, and fixed, so that files are equal byte for byte. */
const PARQUET_ROW_GROUP_ROWS = 30_720;

const DUCKDB_TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  text: VARCHAR,
  date: DATE,
  double: DOUBLE,
  integer: INTEGER,
  boolean: BOOLEAN,
};

/** A new DuckDB file that is filled table by table and then closed for good. */
export interface SnapshotDatabase {
  /** Creates the table and appends the blocks in their order. */
  load(table: Table, blocks: readonly TableBlock[]): Promise<void>;
  /** Writes a loaded table to a zstd Parquet file. The same rows give the same bytes, whatever the machine's cores. */
  exportParquet(table: Table, path: string): Promise<void>;
  /** Checkpoints, so that one file holds everything, and closes. */
  close(): Promise<void>;
  /** Closes without finishing: the run failed. */
  abandon(): void;
}

export async function createDatabase(path: string): Promise<SnapshotDatabase> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  // One checkpoint at the end instead of one whenever the log is long; choosing a compression for each column would
  // cost a second to save a few megabytes of a file that lives a week.
  await connection.run("SET checkpoint_threshold = '64GB'");
  await connection.run("PRAGMA force_compression = 'uncompressed'");
  const abandon = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return {
    async load(table, blocks) {
      for (const block of blocks) checkBlock(table, block);
      await connection.run(createTableSql(table));
      await append(connection, table, blocks);
    },
    async exportParquet(table, file) {
      await connection.run(parquetSql(table, file));
    },
    async close() {
      await connection.run("CHECKPOINT");
      abandon();
    },
    abandon,
  };
}

function createTableSql(table: Table): string {
  const columns = table.columns.map(
    ({ name, type }) => `${identifier(name)} ${DUCKDB_TYPES[type].toString()}`,
  );
  const comments = table.columns.map(
    ({ name, unit, description }) =>
      `COMMENT ON COLUMN ${identifier(table.name)}.${identifier(name)} IS ${literal(unit === "" ? description : `${description} (${unit})`)};`,
  );
  return [
    `CREATE TABLE ${identifier(table.name)} (${columns.join(", ")});`,
    `COMMENT ON TABLE ${identifier(table.name)} IS ${literal(table.description)};`,
    ...comments,
  ].join("\n");
}

function parquetSql(table: Table, file: string): string {
  const columns = table.columns.map(({ name, type, unit, description }) => ({
    name,
    type,
    unit,
    description,
  }));
  const about = [
    `'table': ${literal(table.name)}`,
    `'description': ${literal(table.description)}`,
    `'sorted_by': ${literal(table.key.join(", "))}`,
    `'columns': ${literal(JSON.stringify(columns))}`,
    `'license': 'CC BY 4.0'`,
  ];
  return `COPY (SELECT * FROM ${identifier(table.name)}) TO ${literal(file)} (
    FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${PARQUET_ROW_GROUP_ROWS},
    KV_METADATA { ${about.join(", ")} })`;
}

async function append(
  connection: DuckDBConnection,
  table: Table,
  blocks: readonly TableBlock[],
): Promise<void> {
  const appender = await connection.createAppender(table.name);
  const types = table.columns.map(({ type }) => DUCKDB_TYPES[type]);
  const chunk = DuckDBDataChunk.create(types);
  for (const block of blocks) {
    for (let from = 0; from < block.rows; from += CHUNK_ROWS) {
      const to = Math.min(block.rows, from + CHUNK_ROWS);
      chunk.reset();
      chunk.rowCount = to - from;
      for (const [index, { name }] of table.columns.entries()) {
        fillVector(chunk.getColumnVector(index), block.columns[name]!, from, to);
      }
      appender.appendDataChunk(chunk);
    }
  }
  appender.closeSync();
}

/** Copies the rows from `from` to `to` of a column. A loop for each type, so that each stays fast. */
function fillVector(vector: DuckDBVector, data: ColumnData, from: number, to: number): void {
  if (data instanceof Float64Array) {
    for (let row = from; row < to; row++) {
      const value = data[row]!;
      vector.setItem(row - from, Number.isNaN(value) ? null : value);
    }
  } else if (typeof data === "string") {
    for (let row = from; row < to; row++) vector.setItem(row - from, data);
  } else if (vector instanceof DuckDBDateVector) {
    for (let row = from; row < to; row++) vector.setItem(row - from, dateOrNull(data[row]));
  } else if (data instanceof Int32Array) {
    for (let row = from; row < to; row++) vector.setItem(row - from, data[row]!);
  } else if (data instanceof Uint8Array) {
    for (let row = from; row < to; row++) vector.setItem(row - from, data[row] === 1);
  } else {
    for (let row = from; row < to; row++) vector.setItem(row - from, numberOrNull(data[row]!));
  }
  vector.flush();
}

function dateOrNull(day: string | number | boolean | null | undefined): DuckDBDateValue | null {
  return typeof day === "number" ? new DuckDBDateValue(day) : null;
}

function numberOrNull(value: string | number | boolean | null) {
  return Number.isNaN(value) ? null : value;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
