import { join } from "node:path";
import { ArrowEncoder } from "./arrow-writer.ts";
import { createDatabase } from "./database.ts";
import type { SnapshotDatabase } from "./database.ts";
import type { ConstantTexts, Table, TableBlock } from "./tables/table.ts";
import { arrowFileOf } from "./tables/table.ts";
import { GrowingFile } from "./write-file.ts";

const DATABASE_FILE = "hindsight.duckdb";

/** Fills the files of a snapshot in the making: on this thread, or on one of its own (`table-writer-thread.ts`). */
export interface TableWriter {
  /** Begins a table everywhere it stands: database, Parquet, and Arrow where the table says so. One at a time. */
  begin(table: Table, texts: ConstantTexts): OpenTable;
  /** Waits until all tables are written and closes the database. Throws what any of them met. */
  close(): Promise<void>;
  /**
   * Begins no other table; resolves when what is under way has ended, well or not. For failures and signals; harmless behind
   * `close`. DuckDB is never torn away in the middle of a statement: that would abort the process.
   */
  abandon(): Promise<void>;
}

/** A table that is handed over block by block. */
export interface OpenTable {
  /** Resolves when there is room for another block. Throws what this table or another one met. */
  append(block: TableBlock): Promise<void>;
  /** Behind the last block. Parts of the table may still be under way when this resolves: `close` waits for them. */
  end(): Promise<void>;
}

/** A writer on the calling thread, into an empty folder. */
export async function openTableWriter(folder: string): Promise<TableWriter> {
  const database = await createDatabase(join(folder, DATABASE_FILE));
  const writes: Promise<void>[] = [];
  let turn = Promise.resolve();
  let open: TableFiles | undefined;
  let abandoned = false;
  const inTurn = async (work: () => Promise<void>) => {
    turn = turn.then(async () => (abandoned ? undefined : await work())); // one after the other, and none after a failure
    await turn;
  };
  return {
    begin(table, texts) {
      const begun = inTurn(async () => {
        open = await openTableFiles({ folder, database }, table, texts);
      });
      begun.catch(() => {}); // whatever comes next meets it
      return {
        append: async (block) => await inTurn(async () => await open?.append(block)),
        end: async () =>
          await inTurn(async () => {
            const ended = open?.end() ?? [];
            open = undefined;
            // Not waited for: DuckDB writes this table while the next one is made ready.
            for (const write of ended) write.catch(() => {}); // `close` reports it
            writes.push(...ended);
          }),
      };
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
      await Promise.allSettled([open?.abandon()]);
    },
  };
}

/** Everywhere one table stands. */
interface TableFiles {
  append(block: TableBlock): Promise<void>;
  /** Gives what is still under way then. */
  end(): Promise<void>[];
  abandon(): Promise<void>;
}

async function openTableFiles(
  { folder, database }: { folder: string; database: SnapshotDatabase },
  table: Table,
  texts: ConstantTexts,
): Promise<TableFiles> {
  const load = await database.begin(table);
  const loadBlock = (block: TableBlock) => {
    settleNumbers(block);
    load.append(block);
  };
  const parquet = join(folder, `${table.name}.parquet`);
  if (!table.arrow) {
    return {
      append: async (block) => loadBlock(block),
      end: () => (load.end(), [database.exportParquet(table, parquet)]),
      abandon: async () => load.end(),
    };
  }
  const encoder = new ArrowEncoder(table, texts);
  const file = await GrowingFile.create(join(folder, arrowFileOf(table)));
  return {
    async append(block) {
      loadBlock(block);
      await file.append(encoder.encode(block));
    },
    end: () => (load.end(), [database.exportParquet(table, parquet), file.end(encoder.end())]),
    async abandon() {
      await file.abandon();
      load.end();
    },
  };
}

/**
 * What is not finite becomes "no value", which is one and the same NaN: arithmetic leaves one NaN or another, by the
 * processor, and the same values are to be the same bytes anywhere.
 */
function settleNumbers({ columns }: TableBlock): void {
  for (const data of Object.values(columns)) {
    if (!(data instanceof Float64Array)) continue;
    for (let row = 0; row < data.length; row++) if (!Number.isFinite(data[row])) data[row] = NaN;
  }
}
