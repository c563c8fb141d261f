import type { Table } from "../../files/csv.ts";
import { columnOf, type TableFormat } from "./table-format.ts";
import { readTradeList, type TradeListOf } from "./trade-list.ts";

const NET = { profitIs: "net", areCoins: true } as const;
/** What freqtrade's table of trades says once, by the names that tell it; its `funding_fees` are above 0 where they were gained. */
const FREQTRADE = [
  ["pair", "pair"],
  ["is_short", "is_short"],
  ["open_date", "open_date"],
  ["close_date", "close_date"],
  ["amount", "amount"],
  ["open_rate", "open_rate"],
  ["close_rate", "close_rate"],
  ["close_profit_abs", "profit"],
  ["funding_fees", "swap"],
  ["exit_reason", "exit_reason"],
  ["sell_reason", "exit_reason"],
] as const;

/**
 * Freqtrade's table of trades has several columns of most roles: amounts in coins and in money, asked and paid, and fees as
 * rates and in money. Its fees in money may be empty; then the rates say them.
 */
function plainFreqtrade(table: Table): Table {
  const kept = FREQTRADE.filter(([name]) => columnOf(table, name) >= 0);
  const places = kept.map(([name]) => columnOf(table, name));
  const cellOf = (row: readonly string[], name: string) => row[columnOf(table, name)] ?? "";
  const feeOf = (row: readonly string[], side: "open" | "close") => {
    const cost = cellOf(row, `fee_${side}_cost`);
    if (cost.trim() !== "") return Number(cost);
    const [amount, rate, fee] = ["amount", `${side}_rate`, `fee_${side}`].map((name) =>
      Number(cellOf(row, name)),
    );
    return amount! * rate! * fee!;
  };
  return {
    ...table,
    header: [...kept.map(([, name]) => name), "fee"],
    rows: table.rows.map((row) => [
      ...places.map((index) => row[index]!),
      String(feeOf(row, "open") + feeOf(row, "close")),
    ]),
  };
}

const GROSS = { profitIs: "gross" } as const;

interface Peculiar extends Omit<TradeListOf, "format" | "tool"> {
  /** Leaves one column of each role. */
  readonly plain?: (table: Table) => Table;
}

/**
 * Lists of trades and of fills: the name of the format, the tool, the columns that every version has, and what is peculiar
 * to it. A column in brackets may have any of the names there.
 */
const TOOLS: readonly (readonly [string, string, string, Peculiar])[] = [
  ["backtesting-trades", "backtesting.py", "entrybar|exitbar|entrytime|exittime|pnl", NET],
  ["jesse-trades", "jesse", "opened_at|closed_at|pnl|holding_period", NET],
  [
    "quantconnect-trades",
    "QuantConnect",
    "entry time|exit time|p&l|fees|(symbols,symbol)",
    { profitIs: "gross", areCoins: true },
  ],
  [
    "vectorbt-trades",
    "vectorbt",
    "column|entry timestamp|exit timestamp|pnl|status",
    { ...NET, variants: ["column"] },
  ],
  ["nautilus-positions", "nautilus_trader", "realized_pnl|ts_opened|ts_closed", NET],
  ["mt4-history", "MetaTrader 4", "ticket|open time|close time|s / l|t / p|profit", GROSS],
  ["mt5-deals", "MetaTrader 5", "deal|type|direction|volume|profit", { ...GROSS, isOfFills: true }],
  ["mt5-positions", "MetaTrader 5", "position|type|volume|s / l|t / p|profit", GROSS],
  [
    "freqtrade-trades",
    "freqtrade",
    "pair|open_rate|close_rate|amount|fee_open|fee_close|open_date|close_date|close_profit_abs",
    { ...NET, plain: plainFreqtrade },
  ],
  ["ninjatrader", "NinjaTrader", "market pos.|entry time|exit time|profit|etd", {}],
  ["tradovate", "Tradovate", "buyfillid|sellfillid|boughttimestamp|soldtimestamp|pnl", {}],
  ["ctrader", "cTrader", "opening direction|closing price|(net,gross,net profit,gross profit)", {}],
  ["amibroker", "AmiBroker", "trade|ex. date|ex. price|profit|shares", { profitIs: "net" }],
  ["strategyquant", "StrategyQuant", "open time|close time|profit/loss|sample type", {}],
  [
    "multicharts",
    "MultiCharts",
    "trade #|order #|type|signal|price|contracts",
    { profitIs: "net", isOfFills: true },
  ],
  [
    "quantconnect-orders",
    "QuantConnect",
    "direction|status|(fillprice,fill-price)",
    { isOfFills: true, mayBeShort: true },
  ],
];

/** All are read by the names of their columns. */
export const TRADE_TOOLS: readonly TableFormat[] = TOOLS.map(
  ([name, tool, names, { plain, ...more }]) => {
    const all = names.split("|");
    const choices = all.filter((column) => column.startsWith("("));
    const oneOf = choices.map((each) => each.slice(1, -1).split(","));
    return {
      name,
      tool,
      columns: all.filter((column) => !choices.includes(column)),
      matches: (table) => oneOf.every((any) => columnOf(table, ...any) >= 0),
      // A fill may be like the one before it, but a trade that appears twice was pasted twice.
      isOfTrades: more.isOfFills !== true,
      read: (table, options) =>
        readTradeList(plain?.(table) ?? table, { format: name, tool, ...more }, options),
    };
  },
);
