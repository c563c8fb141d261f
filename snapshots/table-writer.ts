import { join } from "node:path";
import { arrowPieces } from "./arrow-writer.ts";
import { createDatabase } from "./database.ts";
import type { Table, TableBlock } from "./tables/table.ts";
import { arrowFileOf } from "./tables/table.ts";
import { writePieces } from "./write-file.ts";

const DATABASE_FILE = "hindsight.duckdb";

/** Fills the files of a snapshot in the making: on this thread, or on one of its own (`table-writer-thread.ts`). */
export interface TableWriter {
  /**
   * Writes one table everywhere it stands: database, Parquet, and Arrow where the table says so. Tables are taken in the
   * order of the calls. Parts of it may still be under way when this resolves: `close` waits for them.
   */
  write(table: Table, blocks: readonly TableBlock[]): Promise<void>;
  /** Waits until all tables are written and closes the database. Throws what any of them met. */
  close(): Promise<void>;
  /**
   * Begins no other table; resolves when what is under way has ended, well or not. For failures and signals; harmless behind
   * `close`. DuckDB is never torn away from under its own threads: that would abort the process.
   */
  abandon(): Promise<void>;
}

/** A writer on the calling thread, into an empty folder. */
export async function openTableWriter(folder: string): Promise<TableWriter> {
  const database = await createDatabase(join(folder, DATABASE_FILE));
  const writes: Promise<void>[] = [];
  let turn = Promise.resolve();
  let abandoned = false;
  const load = async (table: Table, blocks: readonly TableBlock[]) => {
    if (abandoned) return;
    await database.load(table, blocks);
    // Not waited for: DuckDB's threads write this table while the next one is made ready.
    writes.push(database.exportParquet(table, join(folder, `${table.name}.parquet`)));
    if (table.arrow) {
      writes.push(writePieces(join(folder, arrowFileOf(table)), arrowPieces(table, blocks)));
    }
    for (const write of writes) write.catch(() => {}); // `close` reports it
  };
  return {
    async write(table, blocks) {
      turn = turn.then(async () => await load(table, blocks)); // one after the other, and none behind a failure
      await turn;
    },
    async close() {
      const settled = await Promise.allSettled([turn, ...writes]); // none is left running behind a failure
      const failed = settled.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      await database.close();
    },
    async abandon() {
      abandoned = true;
      await Promise.allSettled([turn, ...writes]);
    },
  };
}
