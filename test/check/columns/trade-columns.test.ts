import { describe, expect, test } from "vitest";
import { tradeTable } from "../../../check/columns/trade-columns.ts";
import { sideReader } from "../../../check/columns/sides.ts";

const CELLS: Readonly<Record<string, readonly string[]>> = {
  time: ["2024-01-02 10:00:00", "2024-01-05 11:30:00"],
  side: ["long", "short"],
  symbol: ["BTCUSDT", "ETHUSDT"],
};
const NUMBERS = ["100.5", "-0.4"];

/** Names as public programs and brokers write them, by what they say. */
const NAMES: Readonly<Record<string, string>> = {
  "time entry":
    "entry_time|Entry Date|openTime|Opened|open_timestamp_ms|Date In|dtopen|buyDate|boughtTimestamp" +
    "|Opening Time (UTC+2)|Eröffnungszeit|Kaufdatum|Einstieg|Date d'entrée|Ouvert le|Fecha apertura" +
    "|Data de abertura|Data entrata|开仓时间|入场时间",
  "time exit":
    "exit_time|Close Date|closed_at|Closing Time|Date Out|dtclose|soldTimestamp|Ex. date|Verkaufsdatum" +
    "|Geschlossen am|Ausstieg|Date de sortie|Fecha cierre|Data de fechamento|Data chiusura|平仓时间|卖出时间",
  time:
    "time|Date(UTC)|timestamp|executed_at|Filled Time|TradeDateTime|Datum|Date et heure|Fecha y hora" +
    "|Data e ora|成交时间|unix",
  "price entry":
    "entry_price|Avg. Entry Price|openPrice|open_rate|buyPrice|Eröffnungskurs|Kaufpreis|Prix d'achat" +
    "|Precio entrada|Preço de compra|Prezzo apertura|开仓均价|Entry",
  "price exit":
    "exit_price|close_rate|Sell Price|avg_px_close|Verkaufskurs|Prix de sortie|Preço de venda|平仓价",
  price: "price|Avg. Filled Price|TradePrice|T. Price|px|Kurs|Cours|Precio|Preço|Prezzo|成交均价",
  size:
    "qty|quantity|Position size (qty)|Filled Qty|Executed|lots|Contracts|shares|Menge|Stück|Größe|Quantité" +
    "|Tamaño|Qtd|数量",
  value:
    "size_usd|Position value|stake_amount|Filled Volume (USDT)|Betrag|Montant|Importe|成交金额",
  side: "side|Direction|Market pos.|position_side|Buy/Sell|L/S|trade_type|Richtung|Sens|Dirección|方向|Trade",
  profit:
    "pnl|Net P&L USD|Profit/Loss|realizedPnl|Closed P&L|profit_abs|Gain/Loss|pnlcomm|Net USD" +
    "|Gewinn/Verlust (€)|G/V|Résultat|Bénéfice|Ganancia|Resultado|Lucro/Prejuízo|Profitto|已实现盈亏|净利润",
  percent:
    "pnl_pct|Profit %|Return [%]|returns|roi|profit_ratio|ReturnPct|Rendite|Rendement %|收益率|盈亏%",
  fee:
    "fee|Commission|total_fees|IBCommission|Comm/Fee|Exchange Fee|fees_paid|Gebühren|Frais|Comisión|Comissão" +
    "|Commissioni|手续费",
  feeUnit: "Fee Coin|feeCurrency|Fee Unit|fee asset",
  balance:
    "balance|account_equity|Balance After|wallet_balance|Cash_After|Kontostand|Solde|Saldo|余额",
  symbol: "symbol|Pair|ticker|Instrument|Item|Wertpapier|Actif|Ativo|交易对|instrument_id",
  "":
    "exit_reason|MAE|take profit|unrealized_pnl|Shares_After|r_multiple|order_id|drawdown|rsi|stop_loss" +
    "|holding_hours|win rate|profit factor|Profit/bar|start_date|fee rate|Exchange",
};

test.each(Object.entries(NAMES))("names of a column of %s", (said, names) => {
  const [role = "", phase = ""] = said.split(" ");
  const found = names.split("|").map((name) => {
    const cells = CELLS[role] ?? (role === "feeUnit" ? ["BNB", "USDT"] : NUMBERS);
    const rows = cells.map((cell) => [cell, "x"]);
    const { columns } = tradeTable({ header: [name, "zzz"], rows, lines: [2, 3], delimiter: "," });
    return [name, columns[0]?.role ?? "", columns[0]?.phase ?? ""];
  });
  const phased = ["time", "price"].includes(role);
  expect(found).toEqual(
    names.split("|").map((name, at) => [name, role, phased ? phase : found[at]![2]]),
  );
});

describe("sides", () => {
  test.each([
    ["BUY", { buys: true }],
    ["Sell short", { buys: false, long: false }],
    ["buy to cover", { buys: true, opens: false }],
    ["EntryLong", { long: true, opens: true }],
    ["Close Short", { long: false, opens: false }],
    ["Advanced Trade Sell", { buys: false }],
    ["卖出平多", { buys: false, long: true, opens: false }],
    ["take profit", { opens: false }],
    ["-1", { buys: false }],
    ["Verkauf", { buys: false }],
    ["balance", { pays: true }],
    ["limit", undefined],
    ["hold", undefined],
  ])("%s", (cell, side) => {
    expect(sideReader([cell])(cell)).toEqual(side);
  });

  test.each([
    ["b", "s", { buys: false }],
    ["l", "s", { long: false }],
    ["c", "v", { buys: false }],
    ["O", "C", { opens: false }],
  ])("letters %s and %s", (first, second, side) => {
    expect(sideReader([first, second])(second)).toEqual(side);
  });
});
