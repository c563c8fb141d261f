import { join } from "node:path";
import { ArrowEncoder } from "./arrow-writer.ts";
import { createDatabase, type SnapshotDatabase } from "./database.ts";
import { DATABASE_FILE } from "./folder.ts";
import { arrowFileOf, type ConstantTexts, type Table, type TableBlock } from "./tables/table.ts";
import { GrowingFile } from "./write-file.ts";

/** Fills the files of an unfinished snapshot: on this thread, or on one of its own (`table-writer-thread.ts`). */
export interface TableWriter {
  /** Begins a table in all its files: database, Parquet, and Arrow if it has one. One table at a time. */
  begin(table: Table, texts: ConstantTexts): Promise<void>;
  /** Adds rows to the table. Resolves when there is room for another block. Throws the first failure so far. */
  append(block: TableBlock): Promise<void>;
  /** Ends the table. `finish` waits for what is then still being written. */
  end(): Promise<void>;
  /** Waits until all tables are written and all files but the database are complete. Throws the first failure. */
  finish(): Promise<void>;
  /** Closes the database. Call it after `finish`. */
  close(): Promise<void>;
  /**
   * Begins no further table, and resolves when work in progress has ended, successfully or not. For failures and
   * signals; harmless during `close` and after it. DuckDB is never interrupted within a statement, which would abort
   * the process.
   */
  abandon(): Promise<void>;
}

/** A writer on the calling thread, into an empty folder. */
export async function openTableWriter(folder: string): Promise<TableWriter> {
  const database = await createDatabase(join(folder, DATABASE_FILE));
  const writes: Promise<void>[] = [];
  let turn = Promise.resolve();
  let open: Awaited<ReturnType<typeof openTableFiles>> | undefined;
  let abandoned = false;
  const inTurn = async (work: () => Promise<void>) => {
    // One piece of work after the other, and none after a failure.
    turn = turn.then(async () => (abandoned ? undefined : await work()));
    await turn;
  };
  return {
    begin: async (table, texts) =>
      await inTurn(async () => {
        open = await openTableFiles({ folder, database }, table, texts);
      }),
    append: async (block) => await inTurn(async () => await open?.append(block)),
    end: async () =>
      await inTurn(async () => {
        const ended = open?.end() ?? [];
        open = undefined;
        // Not awaited: DuckDB writes this table while the next one is prepared.
        for (const write of ended) write.catch(() => {}); // `finish` reports it
        writes.push(...ended);
      }),
    async finish() {
      const settled = await Promise.allSettled([turn, ...writes]); // leaves nothing running after a failure
      const failed = settled.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
    async close() {
      const closed = database.close();
      writes.push(closed); // `abandon` may come meanwhile and waits for it
      await closed;
    },
    async abandon() {
      abandoned = true;
      await Promise.allSettled([turn, ...writes]);
      await Promise.allSettled([open?.abandon()]);
    },
  };
}

/** The files of one table. `end` returns the writes that are still in progress. */
async function openTableFiles(
  { folder, database }: { folder: string; database: SnapshotDatabase },
  table: Table,
  texts: ConstantTexts,
) {
  const load = await database.begin(table);
  const arrow = table.arrow && {
    encoder: new ArrowEncoder(table, texts),
    file: await GrowingFile.create(join(folder, arrowFileOf(table))),
  };
  return {
    async append(block: TableBlock) {
      settleNumbers(block);
      load.append(block);
      if (arrow) await arrow.file.append(arrow.encoder.encode(block));
    },
    end() {
      load.end();
      const parquet = database.exportParquet(table, join(folder, `${table.name}.parquet`));
      return arrow ? [parquet, arrow.file.end(arrow.encoder.end())] : [parquet];
    },
    async abandon() {
      if (arrow) await arrow.file.abandon();
      load.end();
    },
  };
}

/**
 * Replaces everything that is not finite by one NaN, "no value". The bits of the NaN that an operation leaves depend
 * on the processor, and the same values must give the same bytes everywhere.
 */
function settleNumbers({ columns }: TableBlock): void {
  for (const data of Object.values(columns)) {
    if (!(data instanceof Float64Array)) continue;
    for (let row = 0; row < data.length; row++) if (!Number.isFinite(data[row])) data[row] = NaN;
  }
}
