import { resolve } from "node:path";
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
import type { DuckDBAppender, DuckDBType, DuckDBVector } from "@duckdb/node-api";
import type { ColumnData, ColumnType, Table, TableBlock } from "./tables/table.ts";
import { checkBlock } from "./tables/table.ts";

/** DuckDB appends at most one vector of rows at a time. */
const CHUNK_ROWS = 2048;
/** Of a Parquet file: fifteen vectors. Fixed, so that the same rows give the same bytes. */
const ROW_GROUP_ROWS = 30_720;
/**
 * DuckDB's memory limit; without one it keeps every table in memory. The few hundred megabytes of 50 coins fit. With
 * ten times as many, DuckDB reads tables back from its file.
 */
const MEMORY_MB_MAX = 512;

const DUCKDB_TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  text: VARCHAR,
  date: DATE,
  double: DOUBLE,
  integer: INTEGER,
  boolean: BOOLEAN,
};

export type SnapshotDatabase = Awaited<ReturnType<typeof createDatabase>>;

/** Name of the file's catalogue within the DuckDB instance that writes it. */
const CATALOGUE = "snapshot";

/**
 * Creates a DuckDB file that is filled table by table and then closed for good. Three of the settings need a reason:
 * - No write-ahead log, which would write everything twice. A crash loses nothing, because the folder does
 *   not count until it is published.
 * - No compression. Choosing one per column would cost a second to save a few megabytes of a file that
 *   lives a week; the Parquet files beside it are small.
 * - No threads of its own. Waiting for them is a spinning loop, which costs a tenth of a nightly run's
 *   CPU, and tables are written while others are computed anyway.
 */
export async function createDatabase(path: string) {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${MEMORY_MB_MAX}MB`,
    threads: "1",
    temp_directory: `${resolve(path)}.tmp`, // made on demand, removed on `close`
  });
  const loader = await instance.connect();
  const exporter = await instance.connect();
  await loader.run("PRAGMA force_compression = 'uncompressed'");
  await loader.run(`ATTACH ${fileLiteral(path)} AS ${CATALOGUE} (RECOVERY_MODE no_wal_writes)`);
  for (const connection of [loader, exporter]) await connection.run(`USE ${CATALOGUE}`);
  return {
    /** Creates a table, to be filled block by block. One at a time. */
    async begin(table: Table) {
      await loader.run(createTableSql(table));
      return loadOf(table, await loader.createAppender(table.name));
    },
    /**
     * Writes a loaded table to a zstd Parquet file on a pool thread, while further tables are loaded. The same rows
     * give the same bytes on any number of cores.
     */
    async exportParquet(table: Table, file: string) {
      await exporter.run(parquetSql(table, file));
    },
    /** Closes the database after a checkpoint, so that one file holds everything. */
    async close() {
      await loader.run(`CHECKPOINT ${CATALOGUE}`);
      for (const connection of [loader, exporter]) await connection.run("USE memory");
      await loader.run(`DETACH ${CATALOGUE}`);
      exporter.closeSync();
      loader.closeSync();
      instance.closeSync();
    },
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
    "BEGIN;",
    `CREATE TABLE ${identifier(table.name)} (${columns.join(", ")});`,
    `COMMENT ON TABLE ${identifier(table.name)} IS ${literal(table.description)};`,
    ...comments,
    "COMMIT;",
  ].join("\n");
}

function parquetSql(table: Table, file: string): string {
  const about = [
    `'table': ${literal(table.name)}`,
    `'description': ${literal(table.description)}`,
    `'sorted_by': ${literal(table.key.join(", "))}`,
    `'columns': ${literal(JSON.stringify(table.columns))}`,
    `'license': 'CC BY 4.0'`,
  ];
  return `COPY (SELECT * FROM ${identifier(table.name)}) TO ${fileLiteral(file)} (
    FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS},
    KV_METADATA { ${about.join(", ")} })`;
}

/** The rows of one table on their way into the database. */
function loadOf(table: Table, appender: DuckDBAppender) {
  const chunk = DuckDBDataChunk.create(table.columns.map(({ type }) => DUCKDB_TYPES[type]));
  return {
    append(block: TableBlock) {
      checkBlock(table, block);
      for (let from = 0; from < block.rows; from += CHUNK_ROWS) {
        const to = Math.min(block.rows, from + CHUNK_ROWS);
        chunk.reset();
        chunk.rowCount = to - from;
        for (const [index, { name }] of table.columns.entries()) {
          fillVector(chunk.getColumnVector(index), block.columns[name]!, from, to);
        }
        appender.appendDataChunk(chunk);
      }
    },
    end: () => appender.closeSync(),
  };
}

/** Copies rows `from` to `to` of a column. One loop per type keeps each of them fast. */
function fillVector(vector: DuckDBVector, data: ColumnData, from: number, to: number): void {
  if (data instanceof Float64Array) {
    fillDoubles(vector, data.subarray(from, to));
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

/** Writes the numbers first, then the nulls: once a vector has a null, setting an item is twenty times slower. */
function fillDoubles(vector: DuckDBVector, values: Float64Array): void {
  let nulls = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) nulls++;
    else vector.setItem(row, value);
  }
  if (nulls === 0) return;
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row]!)) vector.setItem(row, null);
  }
}

function dateOrNull(day: string | number | boolean | null | undefined): DuckDBDateValue | null {
  return typeof day === "number" ? new DuckDBDateValue(day) : null;
}

function numberOrNull(value: string | number | boolean | null) {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Absolute, because DuckDB takes relative paths such as `s3:`, `sqlite:` and `~` for addresses or the user's home.
 */
function fileLiteral(path: string): string {
  return literal(resolve(path));
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
