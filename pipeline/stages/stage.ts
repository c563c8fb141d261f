import type { CleanCoin } from "../price-rules.ts";
import type { BoardCoin } from "../board.ts";
import type { Table, TableBlock } from "../../snapshots/tables/table.ts";

/** A board coin and its history as the price rules left it; the bars are empty when nothing could be believed. */
export interface IngestedCoin {
  readonly board: BoardCoin;
  readonly clean: CleanCoin;
}

/** What a stage is given. */
export interface StageInput {
  /** The snapshot's last day. */
  readonly asOf: number;
  /** Every coin of the board, in board order. */
  readonly coins: readonly IngestedCoin[];
  /** Blocks of a table that the stage says it reads. */
  readonly read: (table: Table) => readonly TableBlock[];
  /**
   * Blocks of a table in the snapshot that this run continues, of those that the stage says it keeps. Undefined where
   * there is no such snapshot, or it has no such table, or one with other columns.
   */
  readonly previous: (table: Table) => readonly TableBlock[] | undefined;
  /**
   * Says how far the stage is. Awaited between coins, so that a signal is heard and a person sees something move:
   * everything else here is synchronous arithmetic.
   */
  readonly step: (done: number, total: number) => Promise<void>;
}

/** What a stage made: the blocks of each table it says it writes. */
export type StageOutput = ReadonlyMap<Table, readonly TableBlock[]>;

/** One step of the nightly run. The runner orders stages by what they read and write, checks and times them. */
export interface Stage {
  readonly name: string;
  readonly reads: readonly Table[];
  readonly writes: readonly Table[];
  /** Those it may take over from the snapshot before: what is published once and then stays as it is. */
  readonly keeps?: readonly Table[];
  run(input: StageInput): Promise<StageOutput>;
}

/** One output block for each block of a table, in the same order: what most stages are. */
export async function mapBlocks<T>(
  input: StageInput,
  table: Table,
  make: (block: TableBlock) => T,
): Promise<T[]> {
  const blocks = input.read(table);
  const made: T[] = [];
  for (const [index, block] of blocks.entries()) {
    made.push(make(block));
    await input.step(index + 1, blocks.length);
  }
  return made;
}
