import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFreqtradeZip } from "../../check/formats/freqtrade-zip.ts";
import { readFreqtradeResult } from "../../check/formats/freqtrade.ts";
import { parseJson } from "../../files/json.ts";
import { textOf } from "../../files/text.ts";
import { unzip } from "../../files/unzip.ts";
import { coinOfSymbol } from "../../quant/check/coin-symbol.ts";
import { markedRows } from "../../quant/check/marked-rows.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { EXPORTS_FOLDER } from "../support/exports.ts";
import { hasRealPrices, testBars } from "../support/real-prices.ts";

const FOLDER = join(EXPORTS_FOLDER, "freqtrade");
const COINS = new Set(["btc", "eth", "sol", "ada"]);

/** The spot run of the exports: its files by name. */
function spotFiles(): ReadonlyMap<string, Uint8Array> | undefined {
  if (!existsSync(FOLDER) || !hasRealPrices) return undefined;
  const zips = readdirSync(FOLDER).filter((name) => name.endsWith(".zip"));
  return zips
    .map((name) => unzip(readFileSync(join(FOLDER, name)), (entry) => !entry.endsWith(".py")))
    .find((files) => readFreqtradeZip(files, {}, Infinity)?.kind === "equity");
}

const FILES = spotFiles();

test.each(FILES === undefined ? [] : [FILES])(
  "freqtrade's own wallet agrees with its trades marked to our closes, which it dates a day later",
  (files) => {
    const wallet = readFreqtradeZip(files, {}, Infinity)!.rows!;
    const result = [...files].find(([name]) => /\d\.json$/.test(name))!;
    const { trades } = readFreqtradeResult(parseJson(textOf(result[1])), {})!;
    const { rows } = markedRows(trades!, (symbol) => testBars(coinOfSymbol(symbol!, COINS)!));
    const ours = new Map(
      Array.from(rows!.instants, (at, row) => [at, rows!.columns[0]![row]!] as const),
    );
    const pairs = Array.from(wallet.instants, (at, row) => {
      return [ours.get(at - DAY_SECONDS), wallet.columns[0]![row]!] as const;
    }).filter(([found]) => found !== undefined);
    expect(pairs.length).toBeGreaterThan(1000);
    // It values a position at the next day's open, of which our close is the price before.
    for (const [found, theirs] of pairs) expect(Math.abs(found! / theirs - 1)).toBeLessThan(3e-4);
  },
);

test("a clone without the exports has nothing to compare", () => {
  expect(FILES === undefined || FILES.size > 1).toBe(true);
});
