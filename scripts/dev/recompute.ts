/**
 * Buy-and-hold and DCA computed from a CSV file in plain arithmetic. It shares no code with `quant/`, so that the
 * smoke run compares two independent computations.
 */
import { readFileSync } from "node:fs";

export interface Close {
  readonly date: string;
  readonly close: number;
}

/** Closes of one file up to `asOf`, oldest first. */
export function readCloses(file: string, asOf: string): Close[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","))
    .map((cells) => ({ date: cells[0] ?? "", close: Number(cells[4]) }))
    .filter((row) => row.date <= asOf);
}

/** Return and maximum drawdown, in percent, of holding from the first close of each year to the end. */
export function buyHoldByYear(closes: readonly Close[]) {
  const years = [...new Set(closes.map((row) => row.date.slice(0, 4)))];
  return years.map((year) => {
    const held = closes.slice(closes.findIndex((row) => row.date.startsWith(year)));
    const entry = held[0]?.close ?? NaN;
    let peak = 0;
    let drawdown = 0;
    for (const { close } of held) {
      peak = Math.max(peak, close);
      drawdown = Math.min(drawdown, close / peak - 1);
    }
    const last = held.at(-1)?.close ?? NaN;
    return {
      year: Number(year),
      return_pct: 100 * (last / entry - 1),
      max_drawdown_pct: 100 * drawdown,
    };
  });
}

/** A weekly plan of `amount` from the first close of `closes`. */
export function weeklyDca(closes: readonly Close[], amount: number) {
  const bought = closes.filter((_, row) => row % 7 === 0);
  const units = bought.reduce((sum, row) => sum + amount / row.close, 0);
  const value = units * (closes.at(-1)?.close ?? NaN);
  const invested = amount * bought.length;
  return { purchases: bought.length, units, invested_usd: invested, value_usd: value };
}
