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

/** What words say in the names of columns of trades and of fills. */
export const TRADE_WORDS = {
  entry:
    "entry enter entered open opened opening in einstieg einstiegs eroffnung eroffnungs eroffnet geoffnet entree ouvert ouverture entrada apertura " +
    "abertura entrata ingresso 开仓 建仓 入场 进场 进入 开 エントリー",
  exit:
    "exit exited close closed closing ex out ausstieg ausstiegs schliessung schluss geschlossen sortie fermeture ferme cloture salida cierre " +
    "saida fechamento uscita chiusura 平仓 出场 离场 离开 平 決済",
  bought: "buy bought purchase kauf achat compra acquisto 买入",
  sold: "sell sold sale verkauf vente venta venda vendita 卖出",
  time:
    "time date datetime timestamp unix epoch ts dt day zeit datum uhrzeit zeitpunkt zeitstempel heure horodatage fecha hora data ora orario " +
    "时间 日期 時間 日付 日時",
  at: "at",
  price: "price px rate preis kurs prix cours precio preco cotacao prezzo 价格 均价 价 価格",
  size:
    "qty quantity size amount amt volume vol lots lot shares units coins tokens menge anzahl stuckzahl stuck nombre grosse volumen quantite taille cantidad " +
    "tamano quantidade qtd qtde tamanho quantita dimensione lotti lotes 数量 手数 成交量 股数",
  value:
    "value notional stake quote funds invested proceeds subtotal total wert betrag valeur montant valor importe valore importo " +
    "金额 成交额 名义价值 投入额",
  cost: "cost costs kosten couts costes custo custos costi",
  side:
    "side direction action operation event verb bs ls pos effect offset indicator richtung seite aktion transaktion sens lado " +
    "direccion accion operacion direcao acao operacao lato direzione azione operazione 方向 买卖 操作 多空 側 売買",
  kind: "type kind signal code typ art tipo 类型 类别",
  long: "long",
  short: "short",
  symbol:
    "symbol symbols pair market instrument ticker asset coin item product stock security underlying contract base symbole simbolo paar " +
    "markt wertpapier titel marche actif activo ativo mercado strumento 品种 合约 币种 交易对 标的 代码 货币对",
  contracts: "contracts",
  profit:
    "profit profits pnl pl gain res result earnings income gewinn ergebnis guv gv resultat benefice ganancia beneficio resultado pyg lucro " +
    "guadagno profitto utile risultato 盈亏 利润 收益 损益 損益",
  net: "net netto nette netta neto neta 净",
  gross: "gross brutto brut bruto bruta lordo 毛",
  rate: "return returns ret ratio performance perf roi yield rendite rendement rentabilidad retorno rendimento 收益率 回报率 盈亏比例",
  sum: "cum cumulative cumulated accumulated running kumuliert kumulierte cumule acumulado acumulada cumulato 累计",
  fee:
    "fee fees commission commissions comm brokerage charges gas tax taxes gebuhr gebuhren provision steuer frais taxe comision comisiones " +
    "taxa taxas comissao comissoes corretagem commissione commissioni 手续费 佣金 费用 税",
  venue:
    "exchange clearing nfa ip ib broker maker taker trading transaction transact trans funding",
  swap: "swap rollover overnight 隔夜利息",
  unit: "currency ccy unit wahrung devise moneda moeda valuta 单位",
  balance:
    "balance equity capital account acct portfolio bankroll wallet cash kontostand saldo kapital konto depot guthaben solde " +
    "patrimonio cuenta conta conto 余额 账户 资金 权益 总资产",
  moment: "after before apres nachher dopo depois despues",
  status: "status state zustand statut estado stato 状态",
  multiplier: "multiplier contractsize pointvalue",
  id: "id no number nr num",
  preferred:
    "filled fill executed exec execution realized realised realisiert peak 成交 已实现 实现",
  avoided: "order create created requested placed logged updated 下单 委托",
  bare: "trade position 交易",
  filler:
    "ms last per paid le am avg average mean utc gmt the my local s transacted durchschnittlicher moyen medio deal fifo new final current activity t " +
    "ending abs actual usd usdt usdc busd eur btc inr loss losses verlust perte perdida prejuizo perdita pct percent percentage " +
    "prozent is de da do del di d l of and und et y e on per intervalo 实际",
} as const;

export type TradeWord = keyof typeof TRADE_WORDS;
