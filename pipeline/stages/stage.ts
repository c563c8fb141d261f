import type { CleanCoin } from "../price-rules.ts";
import type { BoardCoin } from "../board.ts";
import type { Month } from "../../quant/month.ts";
import type { PublishedTables } from "../../snapshots/history.ts";
import type { Table, TableBlock, TableRows } from "../../snapshots/tables/table.ts";

/** A board coin and its history under the price rules. The bars are empty when no row was accepted. */
export interface IngestedCoin {
  readonly board: BoardCoin;
  readonly clean: CleanCoin;
}

/** The input of a stage. */
export interface StageInput {
  /** The snapshot's last day. */
  readonly asOf: number;
  /**
   * The newest month to publish: the last complete one, or the one before while some coin's prices for it are still
   * expected.
   */
  readonly month: Month;
  /** Every coin of the board, in board order. */
  readonly coins: readonly IngestedCoin[];
  /** The table `prices`: one block for each coin that has any. */
  readonly prices: readonly TableBlock[];
  /**
   * The tables that the stage declares to keep, from snapshots of the same source: the current snapshot first, then
   * the others from the newest run on. After a run that went back in time, later months exist only in those others.
   */
  readonly published: () => AsyncIterable<PublishedTables>;
  /**
   * Reports progress. Stages await it between coins, so that signals are handled: the rest is synchronous arithmetic.
   */
  readonly step: (done: number, total: number) => Promise<void>;
}

/**
 * The tables that a stage makes, all at once or one by one. Each is consumed to its end before the next; a table that
 * comes block by block is only computed then.
 */
export type StageOutput =
  | ReadonlyMap<Table, TableRows>
  | AsyncIterable<readonly [Table, TableRows]>;

/** The output of a stage in which no table comes block by block. */
export type WholeTables = ReadonlyMap<Table, readonly TableBlock[]>;

/**
 * One step of the nightly run. Stages run in the order of `stages.ts`; each sees the prices and no other stage's
 * tables.
 */
export interface Stage<Output extends StageOutput = StageOutput> {
  readonly name: string;
  /** Tables that it may take over from earlier snapshots, because they are published once and never change. */
  readonly keeps?: readonly Table[];
  run(input: StageInput): Promise<Output>;
}

/** The price blocks one by one, with progress, which is all that most stages report. */
export async function* priceBlocks({ prices, step }: StageInput): AsyncGenerator<TableBlock> {
  for (const [index, block] of prices.entries()) {
    yield block;
    await step(index + 1, prices.length);
  }
}

/** The kept tables of the first snapshot that `isWanted` accepts. */
export async function firstPublished(
  { published }: StageInput,
  isWanted: (tables: PublishedTables) => boolean,
): Promise<PublishedTables | undefined> {
  for await (const tables of published()) if (isWanted(tables)) return tables;
  return undefined;
}
