import { columnOf, type TableFormat } from "./table-format.ts";
import { readTradeList, type TradeListOf } from "./trade-list.ts";

const NET = { profitIs: "net", areCoins: true } as const;
const GROSS = { profitIs: "gross" } as const;

type Peculiar = Omit<TradeListOf, "format" | "tool">;

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
    { ...NET, variant: "column" },
  ],
  ["nautilus-positions", "nautilus_trader", "realized_pnl|ts_opened|ts_closed", NET],
  ["mt4-history", "MetaTrader 4", "ticket|open time|close time|s / l|t / p|profit", GROSS],
  ["mt5-deals", "MetaTrader 5", "deal|type|direction|volume|profit", { ...GROSS, isOfFills: true }],
  ["mt5-positions", "MetaTrader 5", "position|type|volume|s / l|t / p|profit", GROSS],
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
export const TRADE_TOOLS: readonly TableFormat[] = TOOLS.map(([name, tool, names, of]) => {
  const all = names.split("|");
  const choices = all.filter((column) => column.startsWith("("));
  const oneOf = choices.map((each) => each.slice(1, -1).split(","));
  return {
    name,
    tool,
    columns: all.filter((column) => !choices.includes(column)),
    matches: (table) => oneOf.every((any) => columnOf(table, ...any) >= 0),
    // A fill may be like the one before it, but a trade that appears twice was pasted twice.
    isOfTrades: of.isOfFills !== true,
    read: (table, options) => readTradeList(table, { format: name, tool, ...of }, options),
  };
});
