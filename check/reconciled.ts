/** Brings the trades and days of two files together, to tell why the live one differs. */
import type { Ledger } from "../quant/check/trade.ts";
import { reconcile, type ComparedSide } from "../quant/live/reconciliation.ts";
import type { DailyRecord } from "../quant/live/two-records.ts";
import type { ReadExport } from "./formats/export.ts";
import { pairName } from "./formats/fee-unit.ts";

interface FileSide {
  readonly read: ReadExport;
  readonly record: DailyRecord;
  readonly realisedOnly: boolean;
  /** The series that counts, where the file has several. */
  readonly variant: string | undefined;
}

/** Why the live file differs from the backtest. `since` is the first live day, where the sender said it. */
export function reconciledFiles(backtest: FileSide, live: FileSide, since: number | undefined) {
  const [one, other] = [backtest, live].map(comparedSide) as [ComparedSide, ComparedSide];
  // A list that names no coin is about the other's, if that has one.
  const coins = [one, other].map(
    ({ ledger }) => new Set(ledger?.trades.map(({ symbol }) => symbol ?? "")),
  );
  const isOne = coins.every(({ size }) => size === 1) && coins.some((names) => names.has(""));
  const [name] = coins.flatMap((names) => [...names].filter(Boolean));
  const sides = [one, other].map((side) => (isOne ? renamed(side, () => name) : side));
  return reconcile(sides[0]!, sides[1]!, since);
}

function comparedSide({ read, record, realisedOnly, variant }: FileSide): ComparedSide {
  const { ledger } = read;
  const variants = new Set(ledger?.trades.map((trade) => trade.variant));
  const trades = ledger?.trades.filter((trade) => variants.size === 1 || trade.variant === variant);
  const own: Ledger | undefined = ledger && { ...ledger, trades: trades! }; // they are its trades
  return renamed({ ledger: own, record, realisedOnly }, (symbol) => symbol && pairName(symbol));
}

function renamed(
  side: ComparedSide,
  nameOf: (symbol: string | undefined) => string | undefined,
): ComparedSide {
  const { ledger } = side;
  const trades = ledger?.trades.map((trade) => ({ ...trade, symbol: nameOf(trade.symbol) }));
  return { ...side, ledger: ledger && { ...ledger, trades: trades! } }; // they are its trades
}
