import { refusedFormat } from "./table-format.ts";

/** Candles, which every column of would pass for an equity curve. */
export const pricesTable = refusedFormat("prices", "an exchange", {
  columns: ["open", "high", "low", "close"],
  because:
    "this is a table of prices, which says nothing about a strategy: send what your backtest of them wrote",
});
