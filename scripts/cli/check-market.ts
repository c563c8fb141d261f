import type { ReadExport } from "../../check/formats/export.ts";
import type { Bars } from "../../quant/bars.ts";
import type { KnownRun } from "../../quant/check/afterwards.ts";
import { coinOfSymbol } from "../../quant/check/coin-symbol.ts";
import { markedRows } from "../../quant/check/marked-rows.ts";
import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { symbolsOf } from "../../quant/check/trade.ts";
import { returnsOf } from "../../quant/check/returns-of.ts";
import { maxDrawdown } from "../../quant/engine/statistics.ts";
import { rowsOfBlocks } from "../../snapshots/dataset-tables.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readHistory } from "../../snapshots/history.ts";
import { DATASET_RUNS } from "../../snapshots/tables/dataset-runs.ts";
import { UsageError } from "../support/usage-error.ts";
import { currentSnapshot } from "./current-snapshot.ts";
import { suggestion } from "./suggestion.ts";

/** What the current snapshot knows. */
export interface Market {
  readonly coins: ReadonlySet<string>;
  readonly barsOf: (coin: string) => Bars | undefined;
  /** The runs of the dataset. */
  readonly known: () => KnownRun[];
}

/**
 * The market of the snapshot, where it is of use: when a coin is named, and for trades, which it can value. Only a named
 * coin needs it.
 */
export async function openMarket(
  read: ReadExport,
  { coin, snapshots }: { readonly coin?: string; readonly snapshots: string },
): Promise<Market | undefined> {
  if (coin === undefined && read.trades === undefined) return undefined;
  const dir = coin === undefined ? await findCurrent(snapshots) : await currentSnapshot(snapshots);
  if (dir === undefined) return undefined;
  const history = await readHistory(dir, [DATASET_RUNS]);
  const coins = new Set(history.coins.keys());
  if (coin !== undefined && !coins.has(coin)) {
    throw new UsageError(`the snapshot has no prices of "${coin}"${suggestion(coin, [...coins])}`);
  }
  return {
    coins,
    barsOf: (name) => history.coins.get(name)?.bars,
    known: () => rowsOfBlocks(history.tables.get(DATASET_RUNS) ?? []).map(knownRun),
  };
}

function knownRun(row: Readonly<Record<string, unknown>>): KnownRun {
  const number = (value: unknown) => (typeof value === "number" ? value : NaN);
  return {
    coin: String(row["coin"]),
    inSampleSharpe: number(row["in_sample_sharpe"]),
    inSampleDays: number(row["in_sample_days"]),
    laterSharpe: number(row["out_of_sample_sharpe"]),
  };
}

/** What was traded beside the coin, by its ticker where the market has it. */
export function othersOf(read: ReadExport, coin: string, { coins }: Market): string[] {
  const symbols = read.symbols ?? symbolsOf(read.trades?.trades ?? []);
  const traded = symbols.map((symbol) => coinOfSymbol(symbol, coins) ?? symbol);
  return [...new Set(traded)].filter((name) => name !== coin);
}

interface MarkedSource {
  readonly rows?: Observations;
  readonly source: {
    readonly warnings: readonly CheckWarning[];
    readonly realisedOnly?: boolean;
    readonly markedToMarket?: boolean;
  };
}

/** A list of trades valued at the closes of the snapshot, or a warning that says why it wasn't. */
export function markedToMarket(
  read: ReadExport,
  market: Market,
  coin: string | undefined,
): MarkedSource | undefined {
  if (read.trades === undefined) return undefined;
  const marked = markedRows(read.trades, (symbol) => {
    const name = symbol === undefined ? coin : coinOfSymbol(symbol, market.coins);
    return name === undefined ? undefined : market.barsOf(name);
  });
  if (marked.rows === undefined) {
    const message = `open positions were not marked to market: ${marked.reason}`;
    return { source: { warnings: [...read.warnings, { code: "not_marked", message }] } };
  }
  const message =
    "open positions were marked to market at daily closes: the deepest drawdown is " +
    `${deepest(marked.rows)}, by realised profits alone ${deepest(read.rows!)}`; // trades always have rows
  const others = read.warnings.filter(({ code }) => code !== "realised_only");
  return {
    rows: marked.rows,
    source: {
      warnings: [...others, { code: "marked_to_market", message }],
      realisedOnly: false,
      markedToMarket: true,
    },
  };
}

/** The deepest drawdown of any variant, in percent. */
function deepest(rows: Observations): string {
  const drawdowns = returnsOf(rows, []).columns.map((column) =>
    maxDrawdown(column, 0, column.length),
  );
  return `${(100 * Math.min(...drawdowns)).toFixed(1)} %`;
}
