import { nameWords, partReader } from "./names.ts";

/** What a cell such as `Buy`, `Exit short` or `卖出平多` says of a fill. What it doesn't say is undefined. */
export interface Side {
  readonly buys?: boolean;
  /** Whether the position is long. */
  readonly long?: boolean;
  /** Whether the position is opened or added to, not closed. */
  readonly opens?: boolean;
  /** Whether money was paid in or out, which isn't a trade. */
  readonly pays?: boolean;
}

const WORDS = {
  buy:
    "buy buys bought bot kauf kaufen gekauft achat acheter achete compra comprar acquisto acquistare koop kup alis 买 买入 買 買い " +
    "購入 매수 покупка купить 证券买入",
  sell:
    "sell sells sold sld verkauf verkaufen verkauft vente vendre vendu venta vender venda vendita sprzedaz satis 卖 卖出 賣 売 売り " +
    "매도 продажа продать 证券卖出",
  long: "long longs largo lang 多 多头 多仓 做多 ロング 롱 лонг",
  short: "short shorts corto kurz 空 空头 空仓 做空 ショート 숏 шорт",
  open:
    "open opened opening entry enter entered in einstieg eroffnung entree entrer ouverture entrada apertura abertura 开 开仓 入场 进场 " +
    "建仓 エントリー",
  close:
    "close closed closing exit exited out flat cover liquidate liquidated liquidation tp sl stoploss " +
    "takeprofit profittarget trailingstop ausstieg schluss sortie sortir salida saida uscita chiusura 平 平仓 出场 离场 強平 決済",
  pay: "balance deposit withdrawal withdraw credit einzahlung auszahlung depot retrait deposito retiro saque 入金 出金",
} as const;

const readParts = partReader(WORDS);

/** A single letter has a meaning only beside another: `S` sells beside `B` and is short beside `L`. */
const LETTERS: Readonly<Record<string, string>> = {
  bs: "buy sell",
  cv: "buy sell", // compra, venda
  kv: "buy sell", // Kauf, Verkauf
  av: "buy sell", // achat, vente
  ls: "long short",
  oc: "open close",
  io: "open close",
};

/** Reads the cells of a column of sides. A cell that says nothing of a side is undefined. */
export function sideReader(cells: readonly string[]): (cell: string) => Side | undefined {
  const plain = (cell: string) => cell.trim().toLowerCase().replace(/\.0+$/, "");
  const found = [...new Set(cells.map(plain))].filter((cell) => cell !== "");
  const pair = Object.keys(LETTERS).find((letters) =>
    found.every((cell) => letters.includes(cell)),
  );
  const [first, second] = LETTERS[pair ?? ""]?.split(" ") ?? [];
  const words = new Map([
    ["1", "buy"],
    ["-1", "sell"],
    [pair?.[0], first],
    [pair?.[1], second],
  ]);
  const known = new Map(found.map((cell) => [cell, sideOf(words.get(cell) ?? cell)]));
  return (cell) => known.get(plain(cell));
}

function sideOf(cell: string): Side | undefined {
  const parts = new Set(
    readParts(cell) ?? nameWords(cell).flatMap((word) => readParts(word) ?? []),
  );
  if (parts.has("pay")) return { pays: true };
  const side = {
    ...(parts.has("buy") === parts.has("sell") ? {} : { buys: parts.has("buy") }),
    ...(parts.has("long") === parts.has("short") ? {} : { long: parts.has("long") }),
    ...(parts.has("open") === parts.has("close") ? {} : { opens: parts.has("open") }),
  };
  return Object.keys(side).length === 0 ? undefined : side;
}

/** Whether a side says anything of a trade. */
export function isSided({ buys, long, opens }: Side): boolean {
  return (buys ?? long ?? opens) !== undefined;
}
