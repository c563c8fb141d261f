/**
 * The one table of names: what columns of tables of one's own are called, in any spelling, in English and in the
 * commonest words of German, French, Spanish, Portuguese, Italian and Chinese. Outside the layouts of known tools nothing
 * else asks for a column's name.
 */

/** Units and currencies, which say nothing of what a column is. */
const UNITS = new Set(
  "pct percent bps usd usdt usdc eur gbp chf jpy aud cad cny inr krw brl mxn btc busd dollar dollars euro euros".split(
    " ",
  ),
);
/** `P&L`, `P/L`, `PnL` and `P & L` are one word. */
const PNL = /\bp\s*[&/]\s*l\b|PnL/gi;

/**
 * The words of a name without accents, case, punctuation and units in brackets or at its end: `Drawdown (%)`,
 * `drawdown_pct` and `DrawdownPct` are all `drawdown`; digits are words of their own.
 */
export function nameWords(name: string): readonly string[] {
  const plain = name
    .normalize("NFKD")
    .replace(/[\p{M}\uFEFF]/gu, "")
    .replaceAll("ß", "ss")
    .replace(PNL, " pnl ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  while (words.length > 1 && UNITS.has(words.at(-1)!)) words.pop();
  return words;
}

/** The words of a name in one, by which names are compared: `entry price`, `EntryPrice` and `ENTRY_PRICE` are one. */
export function nameKey(name: string): string {
  return nameWords(name).join("");
}
