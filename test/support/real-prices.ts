import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Bars } from "../../quant/bars.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { madeUpBars } from "./made-up-bars.ts";

/**
 * Real daily prices for tests. They may not be redistributed, so they live outside the repository: in the
 * folder that `HINDSIGHT_PRICES` names, otherwise in `../shared/data/prices`. A clone without them runs the
 * same assertions on made-up bars, with fewer days.
 */
const DEFAULT_FOLDER = fileURLToPath(new URL("../../../shared/data/prices", import.meta.url));

export const PRICES_FOLDER = process.env["HINDSIGHT_PRICES"] ?? DEFAULT_FOLDER;
export const hasRealPrices = existsSync(PRICES_FOLDER);

/** Tickers of all real files, or of the made-up market. */
export function testTickers(): string[] {
  if (!hasRealPrices) return ["made-up-a", "made-up-b", "made-up-c"];
  return readdirSync(PRICES_FOLDER)
    .filter((file) => file.endsWith(".csv"))
    .map((file) => file.slice(0, -".csv".length))
    .sort();
}

/**
 * Bars of one ticker, read by the plainest possible code, so that it is independent of the csv source it
 * helps to test. The files have no gaps and no broken rows.
 */
export function testBars(ticker: string): Bars {
  if (!hasRealPrices) return madeUpBars({ seed: ticker.charCodeAt(ticker.length - 1), days: 1500 });
  const rows = readFileSync(`${PRICES_FOLDER}/${ticker}.csv`, "utf8").trim().split("\n").slice(1);
  const cells = rows.map((row) => row.split(","));
  const column = (index: number) => Float64Array.from(cells, (row) => Number(row[index]));
  return {
    day: Int32Array.from(cells, (row) => dayOfDate(row[0]!)!),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}
