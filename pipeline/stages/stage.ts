import type { CleanCoin } from "../price-rules.ts";
import type { BoardCoin } from "../board.ts";
import type { Month } from "../../quant/month.ts";
import type { PublishedTables } from "../../snapshots/history.ts";
import { PRICES } from "../../snapshots/tables/prices.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";

/** A board coin and its history under the price rules; the bars are empty when no row was accepted. */
export interface IngestedCoin {
  readonly board: BoardCoin;
  readonly clean: CleanCoin;
}

/** The input of a stage. */
export interface StageInput {
  /** The snapshot's last day. */
  readonly asOf: number;
  /**
   * The newest month to publish: the last complete one, or the one before while some coin's prices for it
   * are awaited.
   */
  readonly month: Month;
  /** Every coin of the board, in board order. */
  readonly coins: readonly IngestedCoin[];
  /** Blocks of a table that the stage declares to read, in full. */
  readonly read: (table: Table) => readonly TableBlock[];
  /**
   * The tables that the stage declares to keep, from snapshots of the same source: the current one first,
   * then the others from the newest run on. If a run went back in time, later months are only in those
   * others.
   */
  readonly published: () => AsyncIterable<PublishedTables>;
  /**
   * Reports how far the stage is. Awaited between coins so that signals are handled and progress is shown;
   * everything else here is synchronous arithmetic.
   */
  readonly step: (done: number, total: number) => Promise<void>;
}

/**
 * What a stage makes: the rows of each table that it declares to write, or these one by one as they are made.
 * Tables are consumed in that order, each to its end before the next; a table that comes block by block is
 * only computed then.
 */
export type StageOutput =
  | ReadonlyMap<Table, TableRows>
  | AsyncIterable<readonly [Table, TableRows]>;

/** The output of a stage in which no table comes block by block. */
export type WholeTables = ReadonlyMap<Table, readonly TableBlock[]>;

/**
 * One step of the nightly run. The runner orders stages by what they read and write, checks them and times
 * them.
 */
export interface Stage<Output extends StageOutput = StageOutput> {
  readonly name: string;
  readonly reads: readonly Table[];
  readonly writes: readonly Table[];
  /** Tables that it may take over from earlier snapshots: what is published once and then stays as it is. */
  readonly keeps?: readonly Table[];
  run(input: StageInput): Promise<Output>;
}

/** Yields the blocks of the prices, one of each coin, and reports progress, which is all that most stages need. */
export async function* priceBlocks(input: StageInput): AsyncGenerator<TableBlock> {
  const blocks = input.read(PRICES);
  for (const [index, block] of blocks.entries()) {
    yield block;
    await input.step(index + 1, blocks.length);
  }
}
