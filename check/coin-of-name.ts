import type { ReadExport } from "./formats/export.ts";
import { symbolsIn } from "./market.ts";

/** `Strategy_BINANCE_SOLUSDT_2026-01-02.csv`; later ones end in five letters, a second download in a number. */
const NAME =
  /_[A-Z0-9]+_([A-Z0-9.]+)(?:_|-)\d{4}-\d{2}-\d{2}(?:-\d{4}-\d{2}-\d{2})?(?:_[0-9a-z]+)?(?: ?\(\d+\))?\.(?:csv|xlsx)$/;

/**
 * TradingView's list of trades as of the pair in the file's name, which its cells lack; undefined for others. It is a
 * proposal: names can be changed, so it counts only where the trades are at that coin's prices.
 */
export function asNamed(read: ReadExport, fileName = ""): ReadExport | undefined {
  const symbol = NAME.exec(fileName)?.[1];
  const { tool, trades } = read;
  if (symbol === undefined || tool !== "TradingView" || trades === undefined) return undefined;
  if (symbolsIn(read).length > 0) return undefined;
  const named = trades.trades.map(({ position, ...trade }) => ({
    ...trade,
    position: position && { ...position, symbol },
  }));
  const message = `the coin was taken from the file's name, ${symbol}: the trades are at its prices`;
  return {
    ...read,
    trades: { ...trades, trades: named },
    warnings: [...read.warnings, { code: "coin_of_name", message }],
  };
}
