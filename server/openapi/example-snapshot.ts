import type { Bars } from "../../quant/bars.ts";
import { dayOfCivil } from "../../quant/calendar.ts";
import { computeIndicators } from "../../quant/indicators/columns.ts";
import { buyHoldYears } from "../../quant/outcomes/buy-hold.ts";
import { dcaColumns } from "../../quant/outcomes/dca.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { exampleDataset, exampleIndex, exampleRuns } from "./example-dataset.ts";

const FIRST_DAY = dayOfCivil({ year: 2023, month: 6, dayOfMonth: 1 });
const DAYS = 761;
/** A reserved name (RFC 2606). */
const EXAMPLE_URL = "https://hindsight.example";

/** Ticker, name and first price of the example coins. */
const COINS = [
  ["btc", "Bitcoin", 30_000],
  ["eth", "Ethereum", 1900],
] as const;

/**
 * A small made-up market for the document's examples. The examples are answers of the server's own code, so
 * they always fit their schema. The prices are two waves on a slope, plainly not real ones.
 */
export function exampleSnapshot(): SnapshotData {
  const tables = new Map(COINS.map(([ticker, , price]) => [ticker as string, tablesOf(price)]));
  const coins = COINS.map(([ticker, name]): SnapshotCoin => ({
    ticker,
    name,
    firstDay: FIRST_DAY,
    lastDay: FIRST_DAY + DAYS - 1,
    stale: false,
  }));
  return {
    id: "2025-06-30T20250701T001000000Z-0e5a1b2c3d4f",
    manifest: { asOf: FIRST_DAY + DAYS - 1, source: "demo", synthetic: true },
    coins,
    bars: (ticker) => tables.get(ticker)?.bars,
    indicators: (ticker) => tables.get(ticker)?.indicators,
    dca: (ticker, frequency) => tables.get(ticker)?.[frequency],
    buyHold: (ticker) => tables.get(ticker)?.years,
    dataset: exampleDataset(),
    runs: exampleRuns,
    overfittingIndex: exampleIndex(),
    publicUrl: EXAMPLE_URL,
  };
}

function tablesOf(price: number) {
  const bars = waves(price);
  return {
    bars,
    indicators: computeIndicators(bars),
    weekly: dcaColumns(bars, "weekly"),
    monthly: dcaColumns(bars, "monthly"),
    years: buyHoldYears(bars),
  };
}

function waves(price: number): Bars {
  const column = (value: (row: number) => number) =>
    Float64Array.from({ length: DAYS }, (_, row) => value(row));
  const at = (row: number) =>
    price * Math.exp(0.0009 * row + 0.2 * Math.sin(row / 29) + 0.03 * Math.sin(row / 3.7));
  return {
    day: Int32Array.from({ length: DAYS }, (_, row) => FIRST_DAY + row),
    open: column((row) => at(row - 1)),
    high: column((row) => Math.max(at(row - 1), at(row)) * 1.012),
    low: column((row) => Math.min(at(row - 1), at(row)) * 0.988),
    close: column(at),
    volume: column((row) => 1000 + 400 * Math.sin(row / 11)),
  };
}
