import type Database from "libsql";

type Values = Parameters<Database.Statement["get"]>;

/**
 * Makes every statement of a connection one that is prepared anew after it has failed. libsql does not reset it, so the
 * next call would run with the values of the failed one: it would find another account's key, or write nothing and
 * report success.
 */
export function withSteadyStatements(db: Database.Database): Database.Database {
  const prepare = db.prepare.bind(db);
  const steady = (sql: string) => steadyStatement(() => prepare(sql));
  db.prepare = steady as unknown as typeof db.prepare; // without the rest of what libsql offers
  return db;
}

function steadyStatement(prepare: () => Database.Statement) {
  let isRaw = false;
  let prepared: Database.Statement | undefined = prepare();
  function tried<Result>(use: (statement: Database.Statement) => Result): Result {
    prepared ??= isRaw ? prepare().raw() : prepare();
    try {
      return use(prepared);
    } catch (error) {
      prepared = undefined;
      throw error;
    }
  }
  const steady = {
    raw() {
      isRaw = true;
      prepared?.raw();
      return steady;
    },
    get: (...values: Values) => tried((statement) => statement.get(...values)),
    all: (...values: Values) => tried((statement) => statement.all(...values)),
    run: (...values: Values) => tried((statement) => statement.run(...values)),
  };
  return steady;
}
