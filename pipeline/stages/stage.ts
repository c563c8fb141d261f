import type { CleanCoin } from "../price-rules.ts";
import type { BoardCoin } from "../board.ts";
import type { Month } from "../../quant/dataset/month.ts";
import type { PublishedTables } from "../../snapshots/history.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";

/** A board coin and its history as the price rules left it; the bars are empty when nothing could be believed. */
export interface IngestedCoin {
  readonly board: BoardCoin;
  readonly clean: CleanCoin;
}

/** What a stage is given. */
export interface StageInput {
  /** The snapshot's last day. */
  readonly asOf: number;
  /** The newest month that is published: the last complete one, or the one before while a coin of it is awaited. */
  readonly month: Month;
  /** Every coin of the board, in board order. */
  readonly coins: readonly IngestedCoin[];
  /** Blocks of a table that the stage says it reads, and that was made whole. */
  readonly read: (table: Table) => readonly TableBlock[];
  /**
   * The tables that the stage says it keeps, as snapshots of the same source have them: of the one in force first, then of
   * the others from the newest on. A run that went back left later months only in those.
   */
  readonly published: () => AsyncIterable<PublishedTables>;
  /**
   * Says how far the stage is. Awaited between coins, so that a signal is heard and a person sees something move:
   * everything else here is synchronous arithmetic.
   */
  readonly step: (done: number, total: number) => Promise<void>;
}

/**
 * What a stage made: the rows of each table it says it writes. They are taken in the order of the map, each table to its
 * end before the next: a table that comes block by block is computed only then.
 */
export type StageOutput = ReadonlyMap<Table, TableRows>;

/** The same where nothing comes block by block. */
export type WholeTables = ReadonlyMap<Table, readonly TableBlock[]>;

/** One step of the nightly run. The runner orders stages by what they read and write, checks and times them. */
export interface Stage<Output extends StageOutput = StageOutput> {
  readonly name: string;
  readonly reads: readonly Table[];
  readonly writes: readonly Table[];
  /** Those it may take over from snapshots before: what is published once and then stays as it is. */
  readonly keeps?: readonly Table[];
  run(input: StageInput): Promise<Output>;
}

/** Goes through the blocks of a table one by one and says how far it is: what most stages are. */
export async function* eachBlock(input: StageInput, table: Table): AsyncGenerator<TableBlock> {
  const blocks = input.read(table);
  for (const [index, block] of blocks.entries()) {
    yield block;
    await input.step(index + 1, blocks.length);
  }
}
