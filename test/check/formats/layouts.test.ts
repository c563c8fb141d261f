import { describe, expect, test } from "vitest";
import { codesOf, january, panelOf, readText, smallReturn } from "./files.ts";

/** Layouts of tools that don't run here, filled with trades of our own. */

const CAPITAL = 10_000;
const PROFITS = Array.from({ length: 12 }, (_, place) => Math.round(7e3 * smallReturn(place)) / 2);
const dateOf = (day: number) => `2024-02-${String(day).padStart(2, "0")} 14:30`;

/** Entry and exit of each trade; the last one is still open. */
function rowsOf() {
  let cumulative = 0;
  const closed = PROFITS.flatMap((profit, place) => {
    cumulative += profit;
    const both = { number: place + 1, profit, cumulative, price: "100.5" };
    return [
      { ...both, type: "Entry long", time: dateOf(2 * place + 1), signal: "Buy" },
      { ...both, type: "Exit long", time: dateOf(2 * place + 2), signal: "Sell" },
    ];
  });
  const open = { number: 13, profit: 3, cumulative: cumulative + 3, price: "100.5" };
  return [
    ...closed,
    { ...open, type: "Entry long", time: dateOf(26), signal: "Buy" },
    { ...open, type: "Exit long", time: dateOf(27), signal: "Open" },
  ];
}

type Row = ReturnType<typeof rowsOf>[number];

/** What a column of that name holds of a row. */
function cellOf(name: string, row: Row): string {
  if (name.startsWith("Cum")) {
    return name.endsWith("%") ? ((100 * row.cumulative) / CAPITAL).toFixed(2) : `${row.cumulative}`;
  }
  if (name.endsWith("%")) return "1";
  if (/profit|pnl|p&l/i.test(name)) return `${row.profit}`;
  const known = { trade: row.number, type: row.type, date: row.time, signal: row.signal };
  const [word] = name.toLowerCase().split(/[ /]/);
  return `${{ ...known, price: row.price }[word!] ?? 2}`;
}

type Write = (cell: string, name: string, row: Row) => string;
const asIs: Write = (cell) => cell;

/** A file with these columns, in which `write` may write a cell another way. */
function table(header: string, write = asIs, rows = rowsOf()): string {
  const delimiter = header.includes(";") ? ";" : ",";
  const lines = rows.map((row) =>
    header.split(delimiter).map((name) => write(cellOf(name, row), name, row)),
  );
  return [header, ...lines.map((cells) => cells.join(delimiter))].join("\n");
}

const PLAIN =
  "Trade #,Type,Signal,Date/Time,Price,Contracts,Profit,Profit %,Cum. Profit,Cum. Profit %,Run-up,Run-up %,Drawdown,Drawdown %";
const OF_2025 =
  "Trade #,Type,Date and time,Signal,Price USDT,Position size (qty),Position size (value),Net P&L USDT,Net P&L %,Cumulative P&L USDT,Cumulative P&L %";
const OF_DOLLARS =
  "Trade #,Type,Signal,Date/Time,Price USD,Contracts,Profit USD,Profit %,Cumulative profit USD,Cumulative profit %";
const NO_SIGNALS =
  "Trade #,Type,Date/Time,Price USD,Contracts,Profit USD,Cum. Profit USD,Cum. Profit %";
const OF_EUROS =
  "Trade #;Type;Date and time;Signal;Price EUR;Size (qty);Net PnL EUR;Return %;Cumulative PnL EUR;Cumulative PnL %";
const onExitsWithSigns: Write = (cell, name, row) => {
  if (!/profit/i.test(name)) return cell;
  if (row.type.startsWith("Entry")) return "";
  return name.endsWith("%") ? `${cell}%` : cell.replace("-", "\u2212");
};
const withCommas: Write = (cell, name) => (name === "Return %" ? "1,00" : cell.replace(".", ","));

const TRADING_VIEW: readonly (readonly [string, string])[] = [
  ["2022, without currencies", table(PLAIN, (cell) => cell.replace(" l", " L"))],
  ["2025, newest first, the exit before the entry", table(OF_2025, asIs, rowsOf().toReversed())],
  [
    "the profit on the exit row only, percent signs, a typographer's minus",
    table(OF_DOLLARS, onExitsWithSigns),
  ],
  ["no signals, the open trade without an exit", table(NO_SIGNALS, asIs, rowsOf().slice(0, -1))],
  ["decimal commas", table(OF_EUROS, withCommas)],
];

test.each(TRADING_VIEW)("TradingView, %s", async (_, text) => {
  const { format, trades, warnings } = await readText(text);
  expect(format).toBe("tradingview");
  expect(trades!.capital).toBe(CAPITAL);
  const ordered = trades!.trades.toSorted((a, b) => a.exit - b.exit);
  expect(ordered.map(({ profit }) => profit)).toEqual(PROFITS);
  expect(ordered.map(({ entry, exit }) => (exit - entry) / 86_400)).toEqual(PROFITS.map(() => 1));
  expect(codesOf(warnings)).toContain("open_trades");
});

test("trades that stand there twice, word for word, count once", async () => {
  const [, text] = TRADING_VIEW[0]!;
  const [header, ...lines] = text.trimEnd().split("\n");
  const pasted = `${header!}${`\n${lines.join("\n")}`.repeat(5000)}`;
  const { trades, warnings } = await readText(pasted);
  expect(trades).toEqual((await readText(text)).trades);
  expect(warnings.at(-1)!.message).toContain(`${4999 * lines.length} rows repeat another one`);
  const odd = readText(text.replace("Entry", "Foo"));
  await expect(odd).rejects.toThrow(/line \d+: "Foo \w+" is neither an entry/);
});

const LIST_HEADER =
  "Trade #,Type,Date and time,Signal,Price USD,Net P&L USD,Net P&L %,Cumulative P&L USD,Cumulative P&L %";

test("TradingView, a percent of exactly half a unit still gives the capital", async () => {
  const sums = { 1: ["-650", "-0.07"], 2: ["550", "0.06"], 3: ["-350", "-0.04"] };
  const lines = Object.entries(sums).flatMap(([number, sum]) =>
    ["Entry long", "Exit long"].map((type, place) =>
      [number, type, `2024-02-0${number} 0${place}:00`, "x", "1,1,1", ...sum].join(","),
    ),
  );
  const { trades } = await readText([LIST_HEADER, ...lines].join("\n"));
  expect(trades!.capital).toBe(1e6);
});

test("TradingView in another language is refused with advice", async () => {
  const header = "交易 #,类型,日期和时间,信号,价格 USD,净损益 USD,净损益 %,累计 USD,累计 %,回撤 %";
  const lines = [1, 1, 2, 2].map((number) => `${number},多头,2024-02-01 00:00,x,1,1,1,1,1,1`);
  await expect(readText([header, ...lines].join("\n"))).rejects.toThrow("set the site to English");
});

describe("QuantConnect", () => {
  const DAY = 86_400;
  const FIRST = Date.UTC(2024, 0, 2) / 1000;
  const VALUES = Array.from({ length: 40 }, (_, row) => 1e5 * (1 + smallReturn(row)));
  const equity = (values: readonly unknown[]) => ({
    charts: { "Strategy Equity": { series: { Equity: { values } } } },
  });
  const candles = VALUES.map((value, row) => [FIRST + row * DAY, 1, 2, 0.5, value]);

  test("a candle without a value is left out", async () => {
    const holed = [
      ...candles.slice(0, 5),
      [FIRST + 5 * DAY, null, null, null, null],
      ...candles.slice(6),
    ];
    const panel = await panelOf(JSON.stringify(equity(holed)));
    expect(panel.columns[0]![4]).toBeCloseTo(VALUES[6]! / VALUES[4]! - 1, 12);
  });

  test.each(["backtest", "result", "results"])("%s may wrap the result", async (name) => {
    const wrapped = { [name]: { ...equity(candles), statistics: { "Sharpe Ratio": "1.25" } } };
    const read = await readText(JSON.stringify({ ...wrapped, success: true }));
    expect([read.format, read.stated]).toEqual(["quantconnect", { sharpe: 1.25 }]);
    expect(Math.floor(read.rows!.instants[0]! / DAY)).toBe(FIRST / DAY - 1);
  });

  test("midnight in New York closes the day before, in summer too; a point at the open stays on its day", async () => {
    const midnight = (row: number) => Date.UTC(2024, 2, row, row < 11 ? 5 : 4) / 1000;
    const daily = VALUES.map((value, row) => [midnight(row + 1), value]);
    const open = [midnight(12) + 10 * 3600, 0.9 * VALUES[11]!];
    const panel = await panelOf(
      JSON.stringify(equity([...daily.slice(0, 12), open, ...daily.slice(12)])),
    );
    expect(panel.instants.map((instant) => instant / DAY - FIRST / DAY)).toEqual(
      Float64Array.from(VALUES.slice(1), (_, row) => row + 59),
    );
    expect(panel.columns[0]![11]).toBeCloseTo(VALUES[12]! / VALUES[11]! - 1, 12);
    expect(panel.columns[0]![10]).toBeCloseTo(VALUES[11]! / VALUES[10]! - 1, 12);
  });

  test("the summary, which has a point every few days, is named", async () => {
    const weekly = VALUES.map((value, row) => [FIRST + 7 * row * DAY, value]);
    const { warnings } = await readText(JSON.stringify(equity(weekly)));
    expect(warnings[0]!.message).toContain("every 7 days: if this is the file that ends in -sum");
  });

  test("several points a day belong to that day; midnight closes the day before", async () => {
    const values = VALUES.flatMap((value, row) => [
      [FIRST + row * DAY - 6 * 3600, 0.999 * value],
      [FIRST + row * DAY, value],
    ]);
    const panel = await panelOf(JSON.stringify(equity(values)));
    expect(panel.instants.at(-1)).toBe(FIRST + 38 * DAY);
    expect(panel.columns[0]!.at(-1)).toBeCloseTo(VALUES[39]! / VALUES[38]! - 1, 12);
  });
});

test("MetaTrader 5: deals on the day of the deposit count, and few deals make many days", async () => {
  const deal = (time: string, direction: string, balance: string) =>
    `<tr>${[time, "", "", "", direction, "", "", "", "", "", "", balance, ""].map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const deals = [
    deal("2024.01.02 00:00:00", "", "10 000.00"),
    deal("2024.01.02 09:30:00", "out", "9 900.00"),
    deal("2024.01.15 14:00:00", "out", "9 999.00"),
  ];
  const period = "<tr><td>Daily (2024.01.02 - 2024.02.02)</td></tr>";
  const panel = await panelOf(`<html><table>${period}${deals.join("")}</table></html>`);
  expect(panel.instants[0]).toBe(Date.UTC(2024, 0, 2) / 1000);
  expect(panel.columns[0]![0]).toBeCloseTo(-0.01, 12);
  expect(panel.columns[0]![13]).toBeCloseTo(0.01, 12);
});

describe("MetaTrader 5, optimisation", () => {
  const sheet = (rows: readonly (readonly string[])[]) =>
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ' +
    'ss:Name="Tester Optimizator Results"><Table>' +
    rows.map((row) => `<Row>${row.join("")}</Row>`).join("") +
    "</Table></Worksheet></Workbook>";
  const cell = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`;
  const header = ["Pass", "Forward Result", "Back Result", "Sharpe Ratio", "Custom", "Trades"].map(
    cell,
  );

  test("an empty cell shifts nothing", async () => {
    const row = [cell("1"), "<Cell/>", cell("5"), cell("0.75"), "<Cell/>", cell("9")];
    const { statistics } = await readText(sheet([header, row]));
    expect([...statistics!.values]).toEqual([0.75]);
  });

  test("in another language it is refused with advice", async () => {
    const translated = sheet([["Проход", "Коэффициент Шарпа"].map(cell), [cell("1"), cell("2")]]);
    await expect(readText(translated)).rejects.toThrow("set to English");
  });
});

test("jesse's whole result holds the equity curve", async () => {
  const data = Array.from({ length: 30 }, (_, row) => ({
    time: Date.UTC(2024, 0, row + 1) / 1000,
    value: 1e4 * (1 + smallReturn(row)),
  }));
  const result = { metrics: {}, trades: [], equity_curve: [{ name: "Portfolio", data }] };
  expect((await readText(JSON.stringify(result))).format).toBe("jesse-equity");
});

test("prices are no equity curve, and levels that are called returns are questioned", async () => {
  const days = january();
  const candles = ["time,open,high,low,close,Volume", ...days.map((day) => `${day},1,3,1,2,100`)];
  await expect(readText(candles.join("\n"))).rejects.toThrow("a table of prices");
  const named = ["date,returns", ...days.map((day, row) => `${day},${1 + smallReturn(row)}`)];
  await expect(panelOf(named.join("\n"))).rejects.toThrow('say so with the format "equity"');
});
