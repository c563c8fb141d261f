import { FileRefused } from "../../files/refused.ts";
import { type Question } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import { columnQuestion } from "./columns-shown.ts";
import type { RoledColumn } from "./roles.ts";

/** A name as the patterns see it: `equity_10bps` is `equity 10 bps`, `WorstCase` is `worst case`. */
function plain(name: string): string {
  if (/^\(.*,.*\)$|\|/s.test(name)) return ""; // the parameters of a variant
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/([\p{L}%])(?=\d)|(\d)(?=\p{L})/gu, "$1$2 ")
    .replace(/[^\p{L}\p{N}.%&]+/gu, " ")
    .trim()
    .toLowerCase();
}

const QUANTILE =
  /(^| )(p|q|pct|pctl|perc|percentile?|quantile?|perzentil|centil|percentil|分位数?) ?\d+(\.\d+)?$|(^| )\d+(\.\d+)? ?(th|st|nd|rd|%|percentile?|分位)( |$)|(^| )(lower|upper|untere|obere) ?(bound|band|ci|schranke)?$/;
const CASE =
  /(^| )(best|worst|base|bull|bear|median|mean|average|expected|optimistic|pessimistic|beste[rs]?|schlechteste[rs]?|mittlere[rs]?|meilleur|pire|mejor|peor|melhor|pior|migliore|peggiore|optimistisch|pessimistisch|最好|最差|最佳|最坏|乐观|悲观|中性)( ?(case|scenario|szenario|fall|cas|caso|scenari|escenario|cenario|情景|情况|run|path|outcome))?$/;
const ENDS =
  /best|worst|bull|bear|optimist|pessimist|schlecht|meilleur|pire|mejor|peor|melhor|pior|migliore|peggiore|最好|最差|最佳|最坏|乐观|悲观/;
const PATH =
  /(^| )(sims?|simulations?|simulated|simulation path|simulacion|simulacao|simulazione|paths?|pfad|chemin|trayectoria|percorso|scenario|scenarios|szenario|escenario|cenario|mc|monte carlo|bootstrap|resamples?|resampled|trajectory|trajectories|draw|ensemble|realization|模拟|路径|情景|シミュレーション|симуляция|путь|сценарий)( (path|run|curve|equity|no|nr))* ?\d+$/;
const SAMPLE =
  /(^| )(is|oos|os|in sample|out of sample|insample|outsample|out sample|outofsample|train|training|test|testing|valid|validation|holdout|样本内|样本外|training set|test set|apprentissage|entrenamiento|treino)( |$)/;
const COSTS =
  /(^| )\d+(\.\d+)? ?(bps?|basis points?|basispunkte|pb|points de base)( |$)|(^| )(fees?|costs?|slippage|slip|commission|comm|gebuhr|gebuhren|kosten|frais|comision|taxa|commissioni|手续费|滑点) ?\d|(^| )(no|without|zero|with|incl|excl|free of|ohne|mit|sans|avec|sin|con|sem|com|senza|无|含) ?(fees?|costs?|slippage|commissions?|tc|gebuhren|kosten|frais|comisiones|costes|custos|taxas|costi|commissioni|手续费|成本)( |$)/;
const LEVERAGE =
  /(^| )\d+(\.\d+)? ?(x|fach|倍)( |$)|(^| )(x|lev|leverage|hebel|levier|apalancamiento|alavancagem|leva|杠杆) ?\d|(^| )(unlevered|unleveraged|levered|leveraged|ungehebelt|gehebelt)( |$)/;
const SEED = /(^| )(seed|fold|split|random state|saat) ?\d+$/;
const [TESTED, TRADED] = [
  /(^| )(backtest|backtested|historical|hypothetical|simulated|rucktest|retrotest|回测)( |$)/,
  /(^| )(paper|live|real|demo|forward|papertrading|paper trading|实盘|模拟盘|realtime)( |$)/,
];

/** Columns that are one strategy seen several ways, and no variants of which the best could be picked. */
export function scenariosAmong(
  columns: readonly RoledColumn[],
):
  | { readonly members: readonly RoledColumn[]; readonly reply: FileRefused | Question }
  | undefined {
  const like = (pattern: RegExp) => columns.filter(({ name }) => pattern.test(plain(name)));
  const [quantiles, cases, paths] = [QUANTILE, CASE, PATH].map(like) as [
    RoledColumn[],
    RoledColumn[],
    RoledColumn[],
  ];
  const isFan = hasOpposites(quantiles.map(({ name }) => plain(name)));
  const isOfCases = cases.length > 1 && cases.some(({ name }) => ENDS.test(plain(name)));
  for (const [is, members, what] of [
    [isFan, [...quantiles, ...cases], "quantiles of what a strategy might have done"],
    [isOfCases, cases, "cases of what a strategy might do"],
    [paths.length > 1, paths, "simulated or resampled paths of one strategy"],
  ] as const)
    if (is) return { members, reply: refusal(members, what) };
  const [tested, traded] = [like(TESTED), like(TRADED)];
  const both = tested.length === 1 && traded.length > 0 ? [...tested, ...traded] : [];
  for (const [members, why] of [
    [
      like(SAMPLE),
      "Days on which a strategy was fitted and days on which it was not aren't variants",
    ],
    [like(COSTS), "They are one strategy at several costs, of which you paid one"],
    [like(LEVERAGE), "They are one strategy at several leverages, of which you used one"],
    [like(SEED), "They are one strategy run several times"],
    [
      both,
      "One is a backtest and another its live record: send the live one beside the backtest (live)",
    ],
  ] as const)
    if (new Set(members).size > 1 && (members === both || areOfOneStem(members)))
      return { members, reply: columnQuestion(why, members, columns) };
  return undefined;
}

/** Whether the names differ only where they say which one it is. */
function areOfOneStem(members: readonly RoledColumn[]): boolean {
  const stems = members.map(({ name }) =>
    [SAMPLE, COSTS, LEVERAGE, SEED]
      .reduce((rest, pattern) => rest.replace(pattern, " "), plain(name))
      .replace(/\s+/g, " ")
      .trim(),
  );
  return new Set(stems).size === 1;
}

function refusal(members: readonly RoledColumn[], what: string): FileRefused {
  const names = members.slice(0, 3).map(({ name }) => `"${shortened(name)}"`);
  return new FileRefused(
    `${names.join(", ")} are ${what}, and no record of it: send the returns or the equity of the backtest itself, or name ` +
      "the one column that is the record (column)",
  );
}

/** Whether some quantile stands beside its opposite, as 5 beside 95, or a lower bound beside an upper one. */
function hasOpposites(names: readonly string[]): boolean {
  const ranks = names.map((name) =>
    Number(/[\d.]+/.exec(name)?.[0] ?? (/lower|unter/.test(name) ? 0 : 100)),
  );
  return ranks.some((rank) => rank !== 50 && ranks.includes(100 - rank));
}
