import { FileRefused } from "../../files/refused.ts";
import { type ReadExport } from "../../check/formats/export.ts";
import { coinsNamed, needsMarket, symbolsIn, type Market } from "../../check/market.ts";
import type { KnownRun } from "../../quant/check/afterwards.ts";
import { coinOfSymbol } from "../../quant/check/coin-symbol.ts";
import { RUNS_PATH, runsOfJson, type RunsJson } from "../runs-data.ts";
import { fetchBars } from "./fetch-bars.ts";

interface BrowserMarketOptions {
  readonly coin: string | undefined;
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
}

/**
 * The prices that a check needs, from the server that the page came from: those of the named coin and, for trades, of the
 * coins that were traded. A request holds the name of a coin and nothing of the file.
 */
export async function browserMarket(
  read: ReadExport,
  { coin, coins, isSynthetic }: BrowserMarketOptions,
): Promise<Market | undefined> {
  if (!needsMarket(read, coin)) return undefined;
  const known = new Set(coins);
  const named = coinsNamed(coin ?? "");
  const names = [...named, ...symbolsIn(read).map((symbol) => coinOfSymbol(symbol, known))];
  const wanted = [
    ...new Set(names.filter((name): name is string => name !== undefined && known.has(name))),
  ];
  const barsOf = async (name: string) => {
    return [name, await fetchBars(name).catch(() => undefined)] as const;
  };
  const [pairs, runs] = await Promise.all([
    Promise.all(wanted.map(barsOf)),
    coin !== undefined || wanted.length === 1 ? knownRuns() : [],
  ]);
  const bars = new Map(pairs);
  if (coin !== undefined && named.every((name) => bars.get(name) === undefined)) {
    throw new FileRefused(`the prices of ${coin} can't be had from this server`);
  }
  return {
    coins: known,
    barsOf: (name) => bars.get(name),
    known: () => runs,
    isSynthetic,
  };
}

/** None where the server doesn't have them or can't be reached. */
async function knownRuns(): Promise<KnownRun[]> {
  try {
    const response = await fetch(RUNS_PATH);
    return response.ok ? runsOfJson((await response.json()) as readonly RunsJson[]) : [];
  } catch {
    return [];
  }
}
