import type { Connection } from "./state-file.ts";

type SqlValue = string | number | null;
type Row = readonly SqlValue[];

/** Plain access to a connection, for what is seldom run. A row has its columns' values in the statement's order. */
export const sqlOn = (db: Connection) => ({
  one: (sql: string, values: readonly SqlValue[]) =>
    db.prepare(sql).raw().get(values) as Row | undefined,
  all: (sql: string, values: readonly SqlValue[]) => db.prepare(sql).raw().all(values) as Row[],
  run: (sql: string, values: readonly SqlValue[]) => void db.prepare(sql).run(values),
});

export type Sql = ReturnType<typeof sqlOn>;
