import { dateOfDay } from "../../quant/calendar.ts";
import type { BoardCoin, EarlierSymbol } from "../board.ts";
import type { RawRow, SourceCoin } from "../price-rules/raw-row.ts";

/** An earlier symbol of a coin, and what the source has of it. */
export interface EarlierCoin {
  readonly earlier: EarlierSymbol;
  readonly coin: SourceCoin;
}

/**
 * One history of a coin that had other symbols or another unit before: the rows of each earlier symbol up to its last
 * day, in today's unit, followed by the coin's own. A notice names each symbol that the source does not have.
 */
export function joinEarlier(own: SourceCoin, before: readonly EarlierCoin[]): SourceCoin {
  if (own.fault !== null) return own;
  const failed = before.find(({ coin: { fault } }) => fault !== null && !isAbsent(fault.reason));
  // Without its rows the published history would start over.
  if (failed !== undefined) return { ...own, rows: [], faults: [], fault: failed.coin.fault };
  let joined = own;
  for (const { earlier, coin } of before.toReversed()) joined = joinOne(joined, earlier, coin);
  return joined;
}

function joinOne(
  own: SourceCoin,
  { symbol, until, factor }: EarlierSymbol,
  old: SourceCoin,
): SourceCoin {
  const notices = [...(own.notices ?? [])];
  const isTill = ({ day }: { readonly day: number | null }) => day !== null && day <= until;
  const rows = old.rows.filter(isTill);
  const last = rows.reduce((latest, { day }) => Math.max(latest, day), -Infinity);
  if (rows.length === 0) {
    const why = old.fault?.message ?? "it has no day up to then";
    return {
      ...own,
      notices: [...notices, `nothing of ${symbol} up to ${dateOfDay(until)}: ${why}`],
    };
  }
  const unit = factor === 1 ? "" : `, prices times ${factor}`;
  notices.push(`days up to ${dateOfDay(last)} are those of ${symbol}${unit}`);
  const isLater = ({ day }: { readonly day: number | null }) => day === null || day > last;
  return {
    ...own,
    rows: [...rows.map((row) => inUnit(row, factor)), ...own.rows.filter(isLater)],
    faults: [...old.faults.filter(isTill), ...own.faults.filter(isLater)],
    notices: [...new Set([...notices, ...(old.notices ?? [])])], // both may be of one file
  };
}

function inUnit(row: RawRow, factor: number): RawRow {
  if (factor === 1) return row;
  return {
    ...row,
    open: row.open * factor,
    high: row.high * factor,
    low: row.low * factor,
    close: row.close * factor,
    volume: row.volume / factor,
  };
}

/** Whether a fault means that the source does not have the coin. */
export function isAbsent(reason: string): boolean {
  return reason === "file_missing" || reason === "symbol_unknown";
}

/** The name of an earlier symbol's file: `matic` of `MATIC/USDT`. */
export function tickerOf({ symbol }: Pick<BoardCoin, "symbol">): string {
  return symbol.split("/", 1)[0]!.toLowerCase(); // split gives one or more
}
