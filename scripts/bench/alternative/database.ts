import { join } from "node:path";
import {
  DuckDBInstance,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
} from "@duckdb/node-api";

export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Queries that run at once. Each connection has its own prepared statements. */
const CONNECTIONS = 4;

interface Reader {
  readonly connection: DuckDBConnection;
  readonly statements: Map<string, DuckDBPreparedStatement>;
}

/** The snapshot's DuckDB file, read-only, with a small pool of connections. */
export class SnapshotDatabase {
  readonly #instance: DuckDBInstance;
  readonly #idle: Reader[];
  readonly #waiting: ((reader: Reader) => void)[] = [];

  private constructor(instance: DuckDBInstance, idle: Reader[]) {
    this.#instance = instance;
    this.#idle = idle;
  }

  static async open(snapshotDir: string): Promise<SnapshotDatabase> {
    const file = join(snapshotDir, "hindsight.duckdb");
    // One thread for each query, because a query reads a few rows and several run at once.
    const options = { access_mode: "READ_ONLY", threads: "1" };
    const instance = await DuckDBInstance.create(file, options);
    const readers: Reader[] = [];
    for (let each = 0; each < CONNECTIONS; each++) {
      readers.push({ connection: await instance.connect(), statements: new Map() });
    }
    return new SnapshotDatabase(instance, readers);
  }

  /** All rows of a query, with these values for its `?`. The query has to cast dates to text. */
  async query(sql: string, values: readonly string[] = []): Promise<Row[]> {
    const reader = this.#idle.pop() ?? (await new Promise<Reader>((r) => this.#waiting.push(r)));
    try {
      let statement = reader.statements.get(sql);
      if (statement === undefined) {
        statement = await reader.connection.prepare(sql);
        reader.statements.set(sql, statement);
      }
      for (const [index, value] of values.entries()) statement.bindVarchar(index + 1, value);
      const result = await statement.runAndReadAll();
      return result.getRowObjectsJS() as unknown as Row[];
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(reader);
      else next(reader);
    }
  }

  close(): void {
    for (const { connection } of this.#idle) connection.closeSync();
    this.#instance.closeSync();
  }
}
