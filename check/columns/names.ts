import { textParts, type TextPart } from "./word-parts.ts";

/**
 * What columns are called in tables that no known tool wrote, in any spelling, in English and in the commonest words of
 * German, French, Spanish, Portuguese, Italian, Chinese, Japanese and Russian. Apart from the layouts of known tools, all
 * names of columns stand here.
 */

/** Units and currencies. They don't say what a column is. */
const UNITS = new Set(
  "pct percent bps usd usdt usdc eur gbp chf jpy aud cad cny inr krw brl mxn btc busd dollar dollars euro euros".split(
    " ",
  ),
);
/** `P&L`, `P/L`, `PnL` and `P & L` are one word. */
const PNL = /\bp\s*[&/]\s*l\b|PnL/gi;
/** A `c` for cumulative, as in Hilpisch's `cstrategy`. */
const CUMULATIVE = /\bc(?=(returns?|rets?|strategy|strat)\b)/gi;

/**
 * The words of a name without accents, case, punctuation and units at its end: `Drawdown (%)`, `drawdown_pct` and
 * `DrawdownPct` are all `drawdown`. Digits are words of their own.
 */
export function nameWords(name: string): readonly string[] {
  const plain = name
    .normalize("NFKD")
    .replace(/[\p{M}\uFEFF]/gu, "")
    .replaceAll("ß", "ss")
    .replace(PNL, " pnl ")
    .replace(CUMULATIVE, "cum ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  while (words.length > 1 && UNITS.has(words.at(-1)!)) words.pop();
  return words;
}

/** The words of a name without blanks, to compare names by: `entry price`, `EntryPrice` and `ENTRY_PRICE` are one. */
export function nameKey(name: string): string {
  return nameWords(name).join("");
}

/** What trading costs, in lists of trades and in tables. */
export const FEES =
  "fee fees commission commissions comm brokerage charges gas tax taxes gebuhr gebuhren provision steuer frais taxe " +
  "comision comisiones taxa taxas comissao comissoes corretagem commissione commissioni 手续费 佣金 费用 税 手数料 комиссия 수수료";
export const COSTS = "cost costs kosten couts costes custo custos costi";
export const OTHER_COSTS =
  "slippage slippages provisionen handelskosten spesen 交易成本 成本 издержки комиссии";

/** What a word or an expression says of a column. */
export type NameClass =
  | "time"
  | "value"
  | "balance"
  | "capital"
  | "total"
  | "growth"
  | "return"
  | "log"
  | "profit"
  | "realized"
  | "deposit"
  | "withdrawal"
  | "market"
  | "asset"
  | "index"
  | "ticker"
  | "close"
  | "bar"
  | "strategy"
  | "owner"
  | "cumulative"
  | "neutral"
  | "side"
  | "modifier"
  | "helper";

/** Words and expressions of each class, separated by bars. The longest one that fits counts, in the singular or plural. */
const CLASSES: Readonly<Record<NameClass, string>> = {
  time:
    "date|time|datetime|timestamp|day|ts|period|week|month|epoch|unix|open time|close time|trade date|trading day|as of|" +
    "datum|zeit|zeitpunkt|tag|heure|jour|fecha|hora|dia|data|ora|giorno|日期|时间|交易日|日期时间|日付|日時|дата|время",
  value:
    "equity|nav|net asset value|net liquidation|net liquidation value|net liq|netliq|net liquidity|net worth|account value|" +
    "account equity|portfolio value|portfolio|total value|total equity|total assets|net assets|assets|assets under management|" +
    "aum|wealth|fund value|value|worth|depotwert|depotstand|gesamtwert|kontowert|portfoliowert|vermogen|eigenkapital|wert|" +
    "valeur du portefeuille|valeur totale|valeur liquidative|valeur|patrimoine|avoir total|patrimonio|" +
    "valor de la cartera|valor total|valor del portafolio|valor da carteira|valor liquidativo|valor|equidad|capitale totale|" +
    "valore|valore totale|valore del portafoglio|总资产|资产总值|净资产|账户净值|账户总值|单位净值|净值|权益|账户权益|总权益|总市值|资产|" +
    "資産|総資産|純資産|評価額|총자산|평가금액|평가액|순자산|капитал|стоимость|эквити|активы",
  balance:
    "balance|account balance|total balance|kontostand|guthaben|solde|saldo|余额|账户余额|残高|口座残高|баланс",
  capital: "capital|kapital|capitale|bankroll|资金|总资金|本金",
  total: "total|overall|gesamt|totale|总",
  growth:
    "growth|growth of 1|growth of one|wealth index|equity curve|curve|equity line|multiple|performance|perf|wachstum|croissance|净值曲线",
  return:
    "return|ret|rtn|rets|pct change|percent change|change|chg|rate of return|roi|yield|rendite|ertrag|veranderung|rendement|" +
    "rentabilite|variation|rendimiento|rentabilidad|retorno|variacion|rendimento|variazione|收益率|回报率|回报|涨跌幅|日收益|收益|収益率|リターン|доходность",
  log: "log|ln|logarithmic|对数",
  profit:
    "pnl|pl|profit|net profit|profit and loss|profit loss|gain|earnings|net gain|income|gewinn|gewinn verlust|guv|ergebnis|" +
    "benefice|resultat|profit net|gains|ganancia|beneficio|resultado|lucro|utile|profitto|guadagno|盈亏|利润|净利润|盈利|損益|利益|прибыль|손익|평가손익",
  realized: "realized|realised|closed|booked|realisiert|realise|realizado|realizzato|已实现",
  deposit:
    "deposit|cash flow|cashflow|flow|net flow|external flow|contribution|net contribution|paid in|money in|added|capital added|" +
    "invested|total invested|amount invested|invested capital|invested amount|net deposit|net invested|inflow|net inflow|" +
    "subscription|net transfer|transfer|top up|funding added|einzahlung|einlage|zufluss|versement|apport|depot d argent|" +
    "deposito|aporte|aportacion|ingreso|versamento|入金|出入金|净流入|投入|充值|入金額|взнос|пополнение",
  withdrawal:
    "withdrawal|withdraw|withdrawn|withdrew|money out|paid out|payout|outflow|redemption|auszahlung|entnahme|abfluss|retrait|" +
    "retiro|retirada|saque|prelievo|prelevamento|出金|提现|赎回|出金額|снятие",
  market:
    "benchmark|benchmarks|bench|bm|market|mkt|buy hold|buy and hold|buyhold|buyandhold|bnh|b h|bh|hodl|hold|holding|passive|" +
    "baseline|underlying|spy|qqq|iwm|voo|vti|sp 500|s p 500|spx|gspc|ndx|nasdaq|nasdaq 100|dow|djia|dow jones|russell 2000|msci|" +
    "msci world|dax|ftse|nikkei|dji|ixic|n 225|hsi|rut|stoxx 50|euro stoxx 50|cac 40|csi 300|nifty 50|sensex|kospi|ibovespa|" +
    "equal weight|equally weighted|equal weighted|naive|1 n|gleichgewichtet|equipondere|equiponderado|等权|等权重|" +
    "markt|vergleichsindex|marche|indice de reference|mercado|mercato|indice|基准|市场|沪深 300|" +
    "买入持有|大盘|ベンチマーク|бенчмарк|рынок|индекс",
  asset: "asset|coin|instrument|security|stock|spot|标的",
  index: "index|idx",
  ticker:
    "btc|eth|bnb|sol|xrp|ada|doge|trx|ltc|bch|dot|link|matic|pol|avax|uni|atom|xlm|etc|fil|xmr|near|aave|algo|icp|apt|arb|op|" +
    "sui|inj|ton|shib|pepe|vet|hbar|eos|xtz|mkr|zec|bitcoin|ethereum|solana|aapl|msft|tsla|nvda|amzn|goog|googl|meta|gld|tlt",
  close:
    "close|adj close|adjusted close|closing price|close price|price|last|last price|mark price|mid|mid price|spot price|px|" +
    "schlusskurs|schluss|kurs|preis|cloture|cours|prix|cierre|precio|fechamento|preco|chiusura|prezzo|收盘价|收盘|价格|最新价|終値|価格|цена|закрытие",
  bar:
    "open|high|low|volume|vol|tickvol|tick volume|tick vol|real volume|ohlc|opening price|open price|high price|low price|vwap|bid|ask|quote volume|base volume|turnover volume|" +
    "eroffnung|eroffnungskurs|hoch|tief|hochst|tiefst|volumen|ouverture|plus haut|plus bas|haut|bas|apertura|maximo|minimo|" +
    "abertura|massimo|volumi|开盘价|开盘|最高价|最高|最低价|最低|成交量|成交额",
  strategy:
    "strategy|strat|system|bot|algo|model|trader|trading|backtest|active|strategie|estrategia|strategia|sistema|策略|戦略|стратегия|стратегии",
  owner:
    "account|wallet|fund|my|mine|client|user|acct|konto|depot|compte|portefeuille|cuenta|cartera|conta|carteira|portafoglio|账户",
  cumulative:
    "cum|cumulative|cumulated|cumul|cumprod|cumsum|compounded|compound|accumulated|acc|running|since inception|to date|itd|kumuliert|" +
    "kumulativ|kumulierte|cumule|cumulee|acumulado|acumulada|cumulato|cumulativo|cumulativa|累计|累积|累計|накопленная",
  neutral:
    "daily|weekly|monthly|hourly|d|of|the|in|per|on|at|du|de|la|del|da|do|di|des|der|die|das|s|mark to market|mtm|end|ending|eod|" +
    "final|current|closing|simple|arithmetic|net of fees|after fees|after costs|usd|usdt|eur|pct|percent|tagliche|tages|" +
    "journalier|quotidien|diario|diaria|giornaliero|日|当日|每日|日次|портфеля|счета",
  /** Two sides of one thing. They aren't variants of each other. */
  side: "gross|net|long|short|before|after|raw|brutto|netto|in sample|out of sample|train|test|live|paper|demo|sim|simulated|real|actual",
  /** What was made from a series, which is never the series itself. */
  modifier:
    "mean|avg|average|median|peak|max|maximum|highest|hwm|high water mark|high watermark|min|lowest|prev|previous|lag|" +
    "lagged|shift|shifted|prior|yesterday|std|stdev|dev|initial|start|starting|beginning|begin|upper|lower|band|zscore|rank|" +
    "excess|relative|outperformance|超额|target|expected|forecast|predicted|smoothed|trailing|rolling|diff|delta|annualized|annualised|annual|limit|anfangs|最大",
  helper:
    `${FEES} ${COSTS} ${OTHER_COSTS}`.replaceAll(" ", "|") +
    "|sma|ema|wma|ma|cash|cash balance|available cash|free cash|available|available balance|free margin|margin|margin used|used margin|buying power|" +
    "position|positions value|position value|pos|holdings|holding value|holdings value|market value|stock value|asset value|" +
    "coin value|crypto value|securities|inventory|shares|units|contracts|lots|qty|quantity|amount|size|exposure|leverage|lev|" +
    "weight|allocation|alloc|signal|sig|side|direction|trend|regime|state|prediction|pred|probability|prob|" +
    "confidence|score|drawdown|max drawdown|dd|mdd|underwater|runup|unrealized|unrealised|unrealized pnl|unrealised pnl|" +
    "open pnl|open profit|floating|floating pnl|open position|open positions|n open|spread|" +
    "interest|funding|funding rate|swap|dividend|rebate|turnover|trade|trades count|trade count|trade id|n trades|num trades|count|num|" +
    "number|id|bars|wins|losses|win|loss|winrate|win rate|profit factor|hit rate|sharpe|sharpe ratio|sortino|calmar|omega|" +
    "alpha|beta|volatility|realized vol|hv|iv|var|value at risk|cvar|expected shortfall|ulcer|kelly|vix|risk free|risk free rate|" +
    "rf|risk|rate|rsi|macd|macd signal|adx|atr|cci|mfi|obv|roc|momentum|mom|stoch|stochastic|bb|bollinger|bollinger band|" +
    "kama|hma|tema|dema|vwma|supertrend|ichimoku|tenkan|kijun|psar|sar|donchian|keltner|aroon|trix|dmi|williams|fear greed|fng|" +
    "wgt|ignore|held|days held|reason|exit reason|tp|sl|stop|stop loss|take profit|entry|exit|entry price|exit price|buy|sell|order|fill|flag|active pct|" +
    "time in market|market cap|dominance|open interest|hash rate|supply|bestand|barbestand|barmittel|" +
    "ruckgang|hebel|anzahl|stuck|liquidite|liquidites|exposition|perte max|nombre|efectivo|liquidez|exposicion|" +
    "posicion|apalancamiento|caixa|exposicao|posicao|liquidita|contanti|" +
    "esposizione|posizione|leva|costo|可用资金|可用|现金|持仓|持仓市值|市值|仓位|回撤|最大回撤|" +
    "换手率|信号|杠杆|保证金|浮动盈亏|未实现盈亏|数量|胜率|波动率|夏普|現金|取引回数|ドローダウン|просадка|денежные средства",
};

/** Helpers that name a strategy where they stand before that word, as in `RSI Strategy`. */
export const INDICATORS: ReadonlySet<string> = new Set(
  (
    "sma ema wma ma rsi macd adx cci mfi obv roc momentum mom stoch stochastic bb bollinger bollingerband kama hma tema dema " +
    "vwma supertrend ichimoku donchian keltner aroon trix trend"
  ).split(" "),
);

const CLASS_OF: ReadonlyMap<string, NameClass> = new Map(
  (Object.keys(CLASSES) as NameClass[]).flatMap((kind) =>
    CLASSES[kind].split("|").map((words) => [nameKey(words), kind] as const),
  ),
);
/** Words of the longest expression. */
const EXPRESSION_MAX = 5;

/** A part of a name: an expression of a class, a number, or another word. */
export type NamePart = TextPart<NameClass | "number" | "other">;

/** Endings of plurals, each with the ending of its singular. */
const PLURALS = [
  ["s", ""],
  ["es", ""],
  ["en", ""],
  ["n", ""],
  ["e", ""],
  ["oes", "ao"],
  ["i", "o"],
  ["i", "e"],
] as const;
/** In a shorter word, any ending but an s may belong to the word. */
const PLURAL_MIN = 6;

function classOf(text: string): NameClass | undefined {
  const known = CLASS_OF.get(text);
  if (known !== undefined) return known;
  for (const [plural, singular] of text.length < PLURAL_MIN ? PLURALS.slice(0, 1) : PLURALS) {
    const found = text.endsWith(plural) && CLASS_OF.get(text.slice(0, -plural.length) + singular);
    if (found) return found;
  }
  return undefined;
}

/** The parts of a name from left to right. */
export function nameParts(name: string): readonly NamePart[] {
  const words = nameWords(name);
  const parts: NamePart[] = [];
  for (let at = 0; at < words.length;) {
    const [part, length] = partAt(words, at);
    parts.push(...part);
    at += length;
  }
  return parts;
}

function partAt(words: readonly string[], at: number): [readonly NamePart[], number] {
  for (let length = Math.min(EXPRESSION_MAX, words.length - at); length > 0; length--) {
    const text = words.slice(at, at + length).join("");
    const kind = classOf(text);
    if (kind !== undefined) return [[{ text, kind }], length];
  }
  const word = words[at]!;
  if (/^\p{N}+$/u.test(word)) return [[{ text: word, kind: "number" }], 1];
  // Expressions may be written as one word: `cumret`, `benchmarknav`, `累计收益率`.
  const joined = textParts(word, classOf, /^\p{Script=Han}/u.test(word) ? 1 : 3);
  return [joined ?? [{ text: word, kind: "other" }], 1];
}

/**
 * Reads texts by a table of words: `entryPrice`, `Entry price` and `进入价格` are all the price of an entry. Undefined where
 * a part of the text isn't in the table.
 */
export function partReader<Word extends string>(
  table: Readonly<Record<Word, string>>,
): (text: string) => readonly Word[] | undefined {
  const words = new Map<string, Word>();
  for (const word in table)
    for (const each of table[word].split(" ")) words.set(nameKey(each), word);
  return (text) => {
    const key = nameKey(text).replace(/\p{N}/gu, "");
    return textParts(key, (part) => words.get(part))?.map(({ kind }) => kind);
  };
}

/** Words in the names of columns of trades and of fills. */
export const TRADE_WORDS = {
  entry:
    "entry enter entered open opened opening in einstieg einstiegs eroffnung eroffnungs eroffnet geoffnet entree ouvert ouverture entrada apertura " +
    "abertura entrata ingresso 开仓 建仓 入场 进场 进入 开 エントリー вход входа открытие открытия",
  exit:
    "exit exited close closed closing ex out ausstieg ausstiegs schliessung schluss geschlossen sortie fermeture ferme cloture salida cierre " +
    "saida fechamento uscita chiusura 平仓 出场 离场 离开 平 決済 выход выхода закрытие закрытия",
  bought: "buy bought purchase kauf achat compra acquisto 买入",
  sold: "sell sold sale verkauf vente venta venda vendita 卖出",
  time:
    "time date datetime timestamp unix epoch ts dt day zeit datum uhrzeit zeitpunkt zeitstempel heure horodatage fecha hora data ora orario " +
    "时间 日期 時間 日付 日時 日 дата время 날짜 일자 일시 시간",
  at: "at",
  price:
    "price px rate preis kurs prix cours precio preco cotacao prezzo 价格 均价 价 価格 цена курс 가격 단가 체결가",
  size:
    "qty quantity size amount amt volume vol lots lot shares units coins tokens menge anzahl stuckzahl stuck nombre grosse volumen quantite taille cantidad " +
    "tamano quantidade qtd qtde tamanho quantita dimensione lotti lotes 数量 手数 成交量 股数 объем количество лоты 수량",
  value:
    "value notional stake quote funds invested proceeds subtotal total wert betrag valeur montant valor importe valore importo " +
    "金额 成交额 名义价值 投入额",
  cost: COSTS,
  side:
    "side direction action operation event verb bs ls pos effect offset indicator richtung seite aktion transaktion sens lado " +
    "direccion accion operacion direcao acao operacao lato direzione azione operazione 方向 买卖 操作 多空 側 売買 операция направление сторона 구분 매매구분 매매",
  kind: "type kind signal code typ art tipo 类型 类别 種別 тип",
  long: "long",
  short: "short",
  symbol:
    "symbol symbols pair market instrument ticker asset coin item product stock security underlying contract base symbole simbolo paar " +
    "markt wertpapier titel marche actif activo ativo mercado strumento company scrip isin aktie azione 品种 合约 币种 " +
    "交易对 标的 代码 证券 股票 名称 货币对 銘柄 종목 종목명 종목코드 инструмент тикер бумага",
  contracts: "contracts",
  profit:
    "profit profits pnl pl gain res result earnings income gewinn ergebnis guv gv resultat benefice ganancia beneficio resultado pyg lucro " +
    "guadagno profitto utile risultato 盈亏 利润 收益 损益 損益 прибыль результат 손익 실현손익",
  net: "net netto nette netta neto neta 净",
  gross: "gross brutto brut bruto bruta lordo 毛",
  rate: "return returns ret ratio performance perf roi yield rendite rendement rentabilidad retorno rendimento 收益率 回报率 盈亏比例",
  sum: "cum cumulative cumulated accumulated running kumuliert kumulierte cumule acumulado acumulada cumulato 累计",
  fee: FEES,
  venue: "exchange clearing nfa ip ib broker maker taker trading transaction transact trans",
  funding: "funding",
  reason: "reason",
  swap: "swap rollover overnight 隔夜利息",
  unit: "currency ccy unit wahrung devise moneda moeda valuta 单位",
  balance:
    "balance equity capital account acct portfolio bankroll wallet cash kontostand saldo kapital konto depot guthaben solde " +
    "patrimonio cuenta conta conto 余额 账户 资金 权益 总资产 残高 баланс",
  moment: "after before apres nachher dopo depois despues",
  initial: "initial starting start beginning begin anfangs initiale inicial iniziale 初始 初期",
  status: "status state zustand statut estado stato 状态",
  multiplier: "multiplier contractsize pointvalue",
  id: "id no number nr num",
  preferred:
    "filled fill executed exec execution realized realised realisiert peak 체결 成交 已实现 实现 約定",
  avoided: "order create created requested placed logged updated 下单 委托",
  bare: "trade position 交易",
  filler:
    "ms name last per paid le am avg average mean utc gmt the my local s transacted durchschnittlicher moyen medio deal fifo new final current activity t " +
    "ending abs actual usd usdt usdc busd eur btc inr loss losses verlust perte perdida prejuizo perdita убыток pct percent percentage " +
    "prozent is de da do del di d l of and und et y e on per intervalo 实际",
} as const;

export type TradeWord = keyof typeof TRADE_WORDS;
