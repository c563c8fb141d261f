import { nameWords } from "./names.ts";
import { partReader } from "./word-parts.ts";

/** What a cell such as `Buy`, `Exit short` or `卖出平多` says of a fill; what it doesn't say is undefined. */
export interface Side {
  readonly buys?: boolean | undefined;
  /** Whether the position is long. */
  readonly long?: boolean | undefined;
  /** Whether the position is opened or added to, not closed. */
  readonly opens?: boolean | undefined;
  /** Whether it is money paid in or out, and no trade. */
  readonly pays?: boolean | undefined;
}

const WORDS = {
  buy:
    "buy buys bought bot kauf kaufen gekauft achat acheter achete compra comprar acquisto acquistare koop kup alis 买 买入 買 買い " +
    "購入 매수 покупка купить",
  sell:
    "sell sells sold sld verkauf verkaufen verkauft vente vendre vendu venta vender venda vendita sprzedaz satis 卖 卖出 賣 売 売り " +
    "매도 продажа продать",
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

/** Single letters mean something beside each other only: `S` sells beside `B` and is short beside `L`. */
const LETTERS: Readonly<Record<string, readonly [Side, Side]>> = {
  bs: [{ buys: true }, { buys: false }],
  cv: [{ buys: true }, { buys: false }], // compra, venda
  kv: [{ buys: true }, { buys: false }], // Kauf, Verkauf
  av: [{ buys: true }, { buys: false }], // achat, vente
  ls: [{ long: true }, { long: false }],
  oc: [{ opens: true }, { opens: false }],
  io: [{ opens: true }, { opens: false }],
};
const NUMBERS: ReadonlyMap<string, Side> = new Map([
  ["1", { buys: true }],
  ["-1", { buys: false }],
]);

/** How the cells of a column are to be understood; a cell that says nothing of a side is undefined. */
export function sideReader(cells: readonly string[]): (cell: string) => Side | undefined {
  const plain = (cell: string) => cell.trim().toLowerCase();
  const found = new Set(cells.map(plain).filter((cell) => cell !== ""));
  const letters = Object.keys(LETTERS).find((pair) =>
    [...found].every((cell) => pair.includes(cell)),
  );
  const known = new Map<string, Side | undefined>(
    [...found].map((cell) => {
      const place = letters?.indexOf(cell) ?? -1;
      return [cell, place >= 0 ? LETTERS[letters!]![place] : sideOf(cell)];
    }),
  );
  return (cell) => known.get(plain(cell)) ?? sideOf(plain(cell));
}

function sideOf(cell: string): Side | undefined {
  const number = NUMBERS.get(cell.replace(/\.0+$/, ""));
  if (number !== undefined) return number;
  const parts = readParts(cell) ?? nameWords(cell).flatMap((word) => readParts(word) ?? []);
  const either = (yes: keyof typeof WORDS, no: keyof typeof WORDS) =>
    parts.includes(yes) === parts.includes(no) ? undefined : parts.includes(yes);
  const side = {
    buys: either("buy", "sell"),
    long: either("long", "short"),
    opens: either("open", "close"),
  };
  if (parts.includes("pay")) return { pays: true };
  return Object.values(side).every((said) => said === undefined) ? undefined : side;
}

/** What several columns of a row say together; the first that says something of a thing counts. */
export function joinedSide(sides: readonly (Side | undefined)[]): Side {
  return {
    buys: sides.find((side) => side?.buys !== undefined)?.buys,
    long: sides.find((side) => side?.long !== undefined)?.long,
    opens: sides.find((side) => side?.opens !== undefined)?.opens,
    pays: sides.some((side) => side?.pays === true),
  };
}
