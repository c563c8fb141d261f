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
/** Fifteen vectors, and fixed, so that files are equal byte for byte. */
const ROW_GROUP_ROWS = 30_720;
/**
 * What DuckDB keeps in memory of the tables it was given, all of them without a limit: a full board's few hundred
 * megabytes stay, ten times that is read back from the file it was written to.
 */
const MEMORY_MB_MAX = 512;

const DUCKDB_TYPES: Readonly<Record<ColumnType, DuckDBType>> = {
  text: VARCHAR,
  date: DATE,
  double: DOUBLE,
  integer: INTEGER,
  boolean: BOOLEAN,
};

/** A new DuckDB file that is filled table by table and then closed for good. */
export interface SnapshotDatabase {
  /** Creates a table, to be filled block by block. One at a time. */
  begin(table: Table): Promise<TableLoad>;
  /**
   * Writes a loaded table to a zstd Parquet file, on a thread of the pool and beside what is loaded meanwhile. The same
   * rows give the same bytes, whatever the machine's cores.
   */
  exportParquet(table: Table, path: string): Promise<void>;
  /** Checkpoints, so that one file holds everything, and closes. */
  close(): Promise<void>;
}

/** The rows of one table on their way into the database. */
export interface TableLoad {
  append(block: TableBlock): void;
  /** Behind it the table is whole. */
  end(): void;
}

/** Name of the file's catalogue inside the instance that writes it. */
const CATALOGUE = "snapshot";

/**
 * The file is attached without a write-ahead log, which would be everything written twice: until it is published the
 * folder it lies in does not count. Compression is off for the file: choosing one for each column would cost a second
 * to save a few megabytes of a file that lives a week, and the Parquet files beside it are small. DuckDB gets no thread of its
 * own: whoever waits for one spins, a tenth of a night's CPU, and tables are written beside what is computed anyway.
 */
export async function createDatabase(path: string): Promise<SnapshotDatabase> {
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${MEMORY_MB_MAX}MB`,
    threads: "1",
    temp_directory: `${path}.tmp`, // made when it is needed, gone behind `close`
  });
  const loader = await instance.connect();
  const exporter = await instance.connect();
  await loader.run("PRAGMA force_compression = 'uncompressed'");
  await loader.run(
    `ATTACH ${literal(path)} AS ${CATALOGUE} (RECOVERY_MODE no_wal_writes, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
  );
  for (const connection of [loader, exporter]) await connection.run(`USE ${CATALOGUE}`);
  return {
    async begin(table) {
      await loader.run(createTableSql(table));
      return loadOf(table, await loader.createAppender(table.name));
    },
    async exportParquet(table, file) {
      await exporter.run(parquetSql(table, file));
    },
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

/** Why the system refused, by its own code. DuckDB has only the C library's words for it. */
export function systemCodeOf(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? (message.includes("No space left on device") ? "ENOSPC" : undefined);
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
    FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS},
    KV_METADATA { ${about.join(", ")} })`;
}

function loadOf(table: Table, appender: DuckDBAppender): TableLoad {
  const chunk = DuckDBDataChunk.create(table.columns.map(({ type }) => DUCKDB_TYPES[type]));
  return {
    append(block) {
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

/** Copies the rows from `from` to `to` of a column. A loop for each type, so that each stays fast. */
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

/** Numbers first, nulls behind: once a vector has a null, setting an item is twenty times as slow. */
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

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
