import { FileRefused } from "../../files/refused.ts";
import { readBacktestingJson } from "./backtesting-py.ts";
import type { Table } from "../../files/csv.ts";
import { type ReadExport, type ReadOptions } from "./export.ts";
import { firstReadable } from "./first-readable.ts";
import { readFreqtradeResult, readHyperopt } from "./freqtrade.ts";
import { readJesseEquity } from "./jesse.ts";
import { isObject, parseJson, parseJsonLines } from "../../files/json.ts";
import { jsonTables } from "./json-curves.ts";
import { jsonTable } from "../../files/json-table.ts";
import { shortened } from "../../files/numbers.ts";
import { readQuantConnect } from "./quantconnect.ts";
import { refuseKnown } from "./unreadable.ts";

/** A backtest in JSON, of a tool or as a table. `known` are the known tools in words. */
export function readJsonText(
  text: string,
  options: ReadOptions,
  {
    known,
    readTable,
  }: { readonly known: string; readonly readTable: (table: Table) => ReadExport },
): ReadExport {
  if (isJsonLines(text)) {
    const lines = parseJsonLines(text);
    const read = readHyperopt(lines, options);
    if (read !== undefined) return read;
    const table = jsonTable(lines);
    if (table !== undefined) return readTable(table);
    throw new FileRefused(`these JSON lines are of no known tool; there are: ${known}`);
  }
  const json = parseJson(text);
  refuseKnown("json", json);
  const read =
    readFreqtradeResult(json, options) ??
    readHyperopt([json], options) ??
    readQuantConnect(json) ??
    readBacktestingJson(json) ??
    readJesseEquity(json);
  if (read !== undefined) return read;
  const tables = jsonTables(json);
  if (tables.length > 0) return firstReadable(tables, "list", readTable);
  refuseKnown("otherJson", json);
  const names = isObject(json) ? Object.keys(json).slice(0, 5).map(shortened) : [];
  const has = names.length > 0 ? ` (its members are ${names.join(", ")})` : "";
  throw new FileRefused(`this JSON${has} is of no known tool; there are: ${known}`);
}

/** Whether the first line is a whole value and something follows it. */
function isJsonLines(text: string): boolean {
  const end = text.indexOf("\n");
  if (end < 0 || text.slice(end).trim() === "") return false;
  const first = text.slice(0, end).trim();
  return first.startsWith("{") && first.endsWith("}");
}
