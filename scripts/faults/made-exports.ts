import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { strToU8, zipSync } from "fflate";
import { TABLES } from "../../check/formats/read-export.ts";
import { dateOfDay } from "../../quant/calendar.ts";

export interface ExportFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const FIRST_DAY = 19_700;
const ROWS = Array.from({ length: 40 }, (_, row) => row);
const value = (row: number) => 1000 + row + 20 * Math.sin(row);
const dates = ROWS.map((row) => dateOfDay(FIRST_DAY + row));
const equity = Float64Array.from(ROWS, value);

/** A small file of every format. */
export async function madeExports(folder: string): Promise<ExportFile[]> {
  const known = TABLES.filter(({ columns }) => columns !== undefined);
  const tables = known.map(({ name, columns }) => text(`${name}.csv`, tableOf(columns!))); // filtered
  return [...tables, ...plainTables(), ...jsonFiles(), ...markupFiles(), ...(await packed(folder))];
}

function text(name: string, content: string): ExportFile {
  return { name, bytes: strToU8(content) };
}

/** A table with the columns of a layout, and some that other layouts look for. */
function tableOf(columns: readonly string[]): string {
  const header = ["date", ...columns, "symbol", "side", "size", "price", "trade #", "net p&l"];
  const cell = (name: string, row: number) => {
    if (/date|time|_at$|^ts_/.test(name)) return dates[row]!;
    if (name === "symbol") return "BTC/USDT";
    if (name === "type") return row % 2 === 0 ? "Entry long" : "Exit long";
    if (name === "trade #") return String(Math.floor(row / 2));
    if (name === "side" || name === "direction") return "Long";
    return name === "status" ? "Closed" : value(row).toFixed(2);
  };
  return csv(
    header,
    ROWS.map((row) => header.map((name) => cell(name, row))),
  );
}

function csv(header: readonly string[], rows: readonly (readonly string[])[], mark = ","): string {
  return [header, ...rows].map((cells) => `${cells.join(mark)}\n`).join("");
}

function plainTables(): ExportFile[] {
  const curve = csv(
    ["date", "a", '"b, c"'],
    ROWS.map((row) => [dates[row]!, value(row).toFixed(4), value(row + 7).toFixed(4)]),
  );
  const german = csv(
    ["Datum", "Rendite"],
    ROWS.map((row) => [`${1 + (row % 28)}.03.2024 10:00`, `${row % 7},5 %`]),
    ";",
  );
  const utf16 = Uint8Array.from(Buffer.from(`\uFEFF${curve}`, "utf16le"));
  const heat = ROWS.map((row) => [String(row), String(row % 5), (row / 20 - 1).toFixed(3)]);
  const grid = ROWS.map((row) => [
    dates[row]!,
    String(Math.sin(row) / 50),
    String(Math.cos(row) / 50),
  ]);
  return [
    text("heat.csv", csv(["n1", "n2", "Sharpe Ratio"], heat)),
    text("grid.csv", `fast,4,4\nslow,7,9\n${csv(["date", "", ""], grid)}`),
    text("curve.csv", curve),
    text("german.csv", german),
    { name: "utf16.csv", bytes: utf16 },
  ];
}

function jsonFiles(): ExportFile[] {
  const json = (name: string, content: unknown) => text(name, JSON.stringify(content));
  const ms = ROWS.map((row) => (FIRST_DAY + row) * 864e5);
  const trades = ROWS.slice(1).map((row) => {
    const [open_date, close_date] = [dates[row - 1]!, dates[row]!];
    return {
      pair: "BTC/USDT",
      amount: 1,
      open_rate: 5,
      profit_abs: row % 9,
      open_date,
      close_date,
    };
  });
  const run = {
    backtest_start: dates[0],
    backtest_end: dates.at(-1),
    starting_balance: 1000,
    trades,
  };
  const points = ms.map((time, row) => ({ time: time / 1000, value: value(row) }));
  const pairs = points.map((point) => [point.time, point.value]);
  const series = { Equity: { values: pairs } };
  const bars = ms.map((time, row) => [time, { Equity: value(row) }]);
  return [
    json("freqtrade.json", { strategy: { a: run, b: run } }),
    text("hyperopt.fthypt", JSON.stringify({ current_epoch: 1, results_metrics: run, loss: 1 })),
    json("quantconnect.json", { charts: { "Strategy Equity": { series } } }),
    json("backtesting.json", { _equity_curve: Object.fromEntries(bars), "Sharpe Ratio": 1 }),
    json("jesse.json", [{ name: "Portfolio", data: points }]),
    json("split.json", { columns: ["a"], index: ms, data: ROWS.map((row) => [value(row)]) }),
    json(
      "records.json",
      ROWS.map((row) => ({ date: dates[row], a: value(row) })),
    ),
  ];
}

function markupFiles(): ExportFile[] {
  const row = (name: string, cell: string, cells: readonly (string | number)[]) =>
    `<${name}>${cells.map((each) => `<${cell}><Data>${each}</Data></${cell}>`).join("")}</${name}>\n`;
  const empty = (count: number) => Array.from({ length: count }, () => "");
  const deals = ROWS.map((day) => {
    const time = `${dates[day]!.replaceAll("-", ".")} 10:00:00`;
    return row("tr", "td", [time, ...empty(3), day === 0 ? "" : "in", ...empty(6), value(day), ""]);
  });
  const period = row("tr", "td", ["Period:", "H1 (2023.12.09 - 2024.01.17)"]);
  const passes = ROWS.map((pass) => row("Row", "Cell", [pass, value(pass), 1, 2, pass / 10]));
  const titles = row("Row", "Cell", [
    "Pass",
    "Result",
    "Profit",
    "Expected Payoff",
    "Sharpe Ratio",
  ]);
  return [
    text("report.html", `<html><table>${period}${deals.join("")}</table></html>`),
    text(
      "optimisation.xml",
      `<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Table>${titles}${passes.join("")}</Table></Workbook>`,
    ),
  ];
}

async function packed(folder: string): Promise<ExportFile[]> {
  const frame = tableFromArrays({ date: dates.map((date) => new Date(date)), a: equity });
  const wallet = tableFromArrays({
    date: dates.map((date) => new Date(date)),
    total_quote: equity,
  });
  const plain = plainTables().find(({ name }) => name === "curve.csv");
  const [freqtrade] = jsonFiles();
  return [
    { name: "frame.feather", bytes: tableToIPC(frame, "file") },
    { name: "frame.arrow", bytes: tableToIPC(frame, "stream") },
    { name: "curve.zip", bytes: zipSync({ "a.csv": plain!.bytes }) },
    {
      name: "freqtrade.zip",
      bytes: zipSync(
        { "x.json": freqtrade!.bytes, "x_a_wallet.feather": tableToIPC(wallet, "file") },
        { level: 0 },
      ),
    },
    ...(await parquetFiles(folder)),
  ];
}

/** Parquet files of each codec and each kind of page that DuckDB writes. */
async function parquetFiles(folder: string): Promise<ExportFile[]> {
  const database = await (await DuckDBInstance.create()).connect();
  const rows = (more: string) =>
    `SELECT DATE '2024-01-01' + i::INTEGER AS date, sin(i) / 50 AS a, cos(i) / 50 AS b${more} FROM range(80) t(i)`;
  const files: ExportFile[] = [];
  for (const codec of ["uncompressed", "snappy", "gzip", "zstd"]) {
    for (const version of ["V1", "V2"]) {
      const name = `${codec}-${version}.parquet`;
      const options = `FORMAT parquet, CODEC ${codec}, PARQUET_VERSION ${version}, ROW_GROUP_SIZE 2048`;
      const list = version === "V1" ? "" : ", [i, 1] AS c"; // no table of returns, but lists are decoded
      await database.run(`COPY (${rows(list)}) TO '${join(folder, name)}' (${options})`);
      files.push({ name, bytes: readFileSync(join(folder, name)) });
    }
  }
  database.closeSync();
  return files;
}
