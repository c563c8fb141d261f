import { FileRefused } from "../../files/refused.ts";
import { timeColumn } from "./time-column.ts";
import type { Observations } from "../../quant/check/panel.ts";
import { readArrow } from "../../files/arrow.ts";
import type { Table } from "../../files/csv.ts";
import { type ReadExport, type ReadOptions } from "./export.ts";
import { readFreqtradeResult } from "./freqtrade.ts";
import { parseJson } from "../../files/json.ts";
import { columnOf, curveRows, hasColumns, numbersOf } from "./table-format.ts";
import { textOf } from "../../files/text.ts";

/** A `backtest-result-*.zip`: the result, `NAME.json`, and wallets, `NAME_<strategy>_wallet.feather`. */
export function readFreqtradeZip(
  files: ReadonlyMap<string, Uint8Array>,
  options: ReadOptions,
  cellsMax: number,
): ReadExport | undefined {
  const result = [...files].find(
    ([name]) => name.endsWith(".json") && !/_config\.json$|\.meta\.json$/.test(name),
  );
  if (result === undefined) return undefined;
  const json = parseJson(textOf(result[1]), `"${result[0]}"`);
  const stem = result[0].replace(/\.json$/, "");
  return readFreqtradeResult(json, options, (strategy) => {
    const wallet = files.get(`${stem}_${strategy}_wallet.feather`);
    return wallet === undefined ? undefined : walletRows(readArrow(wallet, cellsMax), strategy);
  });
}

/** What the account was worth at each close, summed over its currencies. */
function walletRows(table: Table, name: string): Observations {
  if (!hasColumns(table, "date", "total_quote"))
    throw new FileRefused("the freqtrade wallet has no total_quote");
  const times = timeColumn(table, columnOf(table, "date"), {});
  const values = numbersOf(table, columnOf(table, "total_quote"));
  const totals = new Map<number, number>();
  for (const [row, time] of times.entries())
    totals.set(time, (totals.get(time) ?? 0) + values[row]!);
  return curveRows(
    name,
    [...totals].sort(([a], [b]) => a - b),
  );
}
