import type Database from "libsql";

type Values = Parameters<Database.Statement["get"]>;

/**
 * A statement that is prepared anew after it has failed. libsql does not reset it, so the next call would run with the
 * values of the failed one: it would find another account's key, or write nothing and report success.
 */
class SteadyStatement {
  readonly #prepare: () => Database.Statement;
  #prepared: Database.Statement | undefined;
  #isRaw = false;

  constructor(prepare: () => Database.Statement) {
    this.#prepare = prepare;
    this.#prepared = prepare();
  }

  raw(): this {
    this.#isRaw = true;
    this.#prepared?.raw();
    return this;
  }

  get(...values: Values): unknown {
    return this.#tried((statement) => statement.get(...values));
  }

  all(...values: Values): unknown[] {
    return this.#tried((statement) => statement.all(...values));
  }

  run(...values: Values): Database.RunResult {
    return this.#tried((statement) => statement.run(...values));
  }

  #tried<Result>(use: (statement: Database.Statement) => Result): Result {
    const statement = this.#current();
    try {
      return use(statement);
    } catch (error) {
      this.#prepared = undefined;
      throw error;
    }
  }

  #current(): Database.Statement {
    if (this.#prepared !== undefined) return this.#prepared;
    const statement = this.#prepare();
    if (this.#isRaw) statement.raw();
    return (this.#prepared = statement);
  }
}

/** Makes every statement of a connection a steady one. */
export function withSteadyStatements(db: Database.Database): Database.Database {
  const prepare = db.prepare.bind(db);
  const steady = (sql: string) => new SteadyStatement(() => prepare(sql));
  db.prepare = steady as unknown as typeof db.prepare; // without the rest of what libsql offers
  return db;
}
