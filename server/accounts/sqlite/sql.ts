import type Database from "libsql";
import type { Connection } from "./state-file.ts";

type SqlValue = string | number | null;
type Row = readonly SqlValue[];

/** Plain access to a connection. Statements are constant texts, prepared when they are first run. */
export class Sql {
  readonly #db: Connection;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The first row: its columns' values in the order of the statement. */
  one(sql: string, values: readonly SqlValue[] = []): Row | undefined {
    return this.#prepare(sql).raw().get(values) as Row | undefined;
  }

  all(sql: string, values: readonly SqlValue[] = []): readonly Row[] {
    return this.#prepare(sql).raw().all(values) as Row[];
  }

  run(sql: string, values: readonly SqlValue[] = []): void {
    this.#prepare(sql).run(values);
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
