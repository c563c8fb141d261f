import { FileRefused, type ReadExport } from "../../check/formats/export.ts";
import { needsMarket, symbolsIn, type Market } from "../../check/market.ts";
import type { Bars } from "../../quant/bars.ts";
import { coinOfSymbol } from "../../quant/check/coin-symbol.ts";
import { barsOfJson, barsPath, type BarsJson } from "../bars-data.ts";
import { RUNS_PATH, runsOfJson, type RunsJson } from "../runs-data.ts";

interface BrowserMarketOptions {
  readonly coin: string | undefined;
  readonly coins: readonly string[];
  readonly isSynthetic: boolean;
}

/**
 * The prices that a check needs, of the server that the page came from: those of the named coin and, for trades, of the
 * coins that were traded. A request has the coin's name in it and nothing of the file.
 */
export async function browserMarket(
  read: ReadExport,
  { coin, coins, isSynthetic }: BrowserMarketOptions,
): Promise<Market | undefined> {
  if (!needsMarket(read, coin)) return undefined;
  const known = new Set(coins);
  const names = [coin, ...symbolsIn(read).map((symbol) => coinOfSymbol(symbol, known))];
  const wanted = [...new Set(names.filter((name) => name !== undefined))];
  const [pairs, runs] = await Promise.all([
    Promise.all(wanted.map(async (name) => [name, await barsOf(name)] as const)),
    coin !== undefined || wanted.length === 1 ? jsonAt<readonly RunsJson[]>(RUNS_PATH) : undefined,
  ]);
  const bars = new Map(pairs);
  if (coin !== undefined && bars.get(coin) === undefined) {
    throw new FileRefused(`the prices of ${coin} can't be had from this server`);
  }
  return {
    coins: known,
    barsOf: (name) => bars.get(name),
    known: () => runsOfJson(runs ?? []),
    isSynthetic,
  };
}

async function barsOf(coin: string): Promise<Bars | undefined> {
  const json = await jsonAt<BarsJson>(barsPath(coin));
  return json === undefined ? undefined : barsOfJson(json);
}

/** Undefined where the server doesn't have it or can't be reached. */
async function jsonAt<Json>(path: string): Promise<Json | undefined> {
  try {
    const response = await fetch(path);
    return response.ok ? ((await response.json()) as Json) : undefined;
  } catch {
    return undefined;
  }
}
