import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomStream } from "../../pipeline/sources/random.ts";
import { dateOfDay } from "../../quant/calendar.ts";

/** 2025-12-31, so that the last month is complete. */
const LAST_DAY = 20_453;

/** Standard deviation of a coin's daily logarithmic return. */
const DAILY_SPREAD = 0.04;

interface PriceFolder {
  /** For `--source`. */
  readonly source: string;
  /** For `--board`. */
  readonly board: string;
}

/**
 * Writes price files of made-up coins, all with the same days, and a board that lists them: a market of any
 * size for the csv source. It is seeded, so that the same sizes give the same prices.
 */
export function writePriceFolder(folder: string, coins: number, days: number): PriceFolder {
  const prices = join(folder, `prices-${coins}x${days}`);
  mkdirSync(prices);
  const tickers = Array.from({ length: coins }, (_, coin) => `c${String(coin).padStart(4, "0")}`);
  const entries = tickers.map((ticker) => ({
    ticker,
    name: `Coin ${ticker}`,
    symbol: `${ticker.toUpperCase()}/USDT`,
  }));
  const board = join(folder, `board-${coins}.json`);
  writeFileSync(board, JSON.stringify(entries));
  for (const ticker of tickers) {
    const file = openSync(join(prices, `${ticker}.csv`), "w");
    writeSync(file, "date,open,high,low,close,volume\n");
    writeSync(file, walk(ticker, days));
    closeSync(file);
  }
  return { source: `csv:${prices}`, board };
}

/** A random walk of daily bars. */
function walk(name: string, days: number): string {
  const random = randomStream(name);
  const lines: string[] = [];
  let close = 1 + random.uniform() * 99;
  for (let day = LAST_DAY - days + 1; day <= LAST_DAY; day++) {
    const open = close;
    close *= Math.exp(random.student4() * DAILY_SPREAD);
    const high = Math.max(open, close) * (1 + random.uniform() * 0.02);
    const low = Math.min(open, close) * (1 - random.uniform() * 0.02);
    const volume = 1000 * (0.5 + random.uniform());
    const numbers = [open, high, low, close, volume].map((value) => value.toPrecision(8));
    lines.push([dateOfDay(day), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}
