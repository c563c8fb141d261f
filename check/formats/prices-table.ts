import { readName, type NameRole } from "../columns/name-role.ts";
import { refusedFormat } from "./table-format.ts";

const BESIDE: ReadonlySet<NameRole> = new Set<NameRole>(["time", "close", "bar", "helper"]);

/** Candles and indicators, which every column of would pass for an equity curve. */
export const pricesTable = refusedFormat("prices", "an exchange", {
  columns: ["open", "high", "low", "close"],
  matches: ({ header }) => header.every((name) => name === "" || BESIDE.has(readName(name).role)),
  because:
    "this is a table of prices, which says nothing about a strategy: send what your backtest of them wrote",
});
