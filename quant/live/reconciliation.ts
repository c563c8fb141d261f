import { DAY_SECONDS, dayOf } from "../check/ordered-rows.ts";
import { PanelRefused, type CheckWarning } from "../check/panel.ts";
import type { Ledger } from "../check/trade.ts";
import { reconcileDays } from "./reconcile-days.ts";
import { reconcileTrades, type Cause, type MatchedRow, type NotReconciled } from "./reconcile.ts";
import { differenceSentence, isMoreThanChance, tradeNotes } from "./reconcile-words.ts";
import { sharedDays, type DailyRecord } from "./two-records.ts";

/** One of two records that are compared. */
export interface ComparedSide {
  /** Its trades, by names of coins that both sides use alike. */
  readonly ledger: Ledger | undefined;
  readonly record: DailyRecord;
  readonly realisedOnly: boolean;
}

const WORST_MAX = 10;

export type Reconciliation = NonNullable<ReturnType<typeof reconcile>["reconciliation"]>;

/**
 * Why a live record differs from its backtest: by their trades, else by their days; or the reason why that can't be told.
 * `since` is the first live day, where it is known. It never throws for what a file holds.
 */
export function reconcile(backtest: ComparedSide, live: ComparedSide, since?: number) {
  try {
    const { ledger: one } = backtest;
    const { ledger: other } = live;
    if (one === undefined || other === undefined) return byDays(backtest, live, since);
    const foreign = withoutSharedCoin(one, other);
    if (foreign !== undefined) return without("no_shared_coin", foreign);
    const found = reconcileTrades(one, other, since && since * DAY_SECONDS);
    if (found.reason === undefined) return byTrades(found);
    if (found.reason === "clock_changes") return without("clock_changes", clockWords(found));
    const days = byDays(backtest, live, since);
    const message = "a file has fewer than 5 closed trades: send longer lists of trades";
    return days.reconciliation === null ? without("few_trades", message) : days;
  } catch (error) {
    if (error instanceof PanelRefused) return without("account_lost", error.message);
    throw error;
  }
}

function without(code: string, message: string) {
  return { reconciliation: null, reason: { code, message }, rows: [] };
}

function byTrades(found: Exclude<ReturnType<typeof reconcileTrades>, NotReconciled>) {
  const { rows, backtestPoints, livePoints, clockSeconds } = found;
  const zone = `times of the live record were read ${hours(clockSeconds)} earlier, as its prices say: --live-timezone says it`;
  const clock = clockSeconds === 0 ? [] : [{ code: "clock", message: zone }];
  return reconciled({
    basis: "trades" as const,
    sentence: differenceSentence(found),
    first: dayOf(found.first),
    last: dayOf(found.last),
    backtest: backtestPoints,
    live: livePoints,
    pairs: found.pairs,
    leftOutBacktest: found.leftOutBacktest,
    leftOutLive: found.leftOutLive,
    barSeconds: found.barSeconds,
    clockSeconds,
    sizeRatio: found.sizeRatio,
    causes: found.causes,
    worst: rows
      .filter(({ points }) => points < 0)
      .toSorted((a, b) => a.points - b.points)
      .slice(0, WORST_MAX),
    notes: [...tradeNotes(found), ...clock],
    rows,
  });
}

function byDays(backtest: ComparedSide, live: ComparedSide, since: number | undefined) {
  if (backtest.realisedOnly !== live.realisedOnly) return without("one_realised", ONE_REALISED);
  const cut = since ?? live.record.day[0]!;
  const { days, promised, shown } = sharedDays(backtest.record, live.record, cut);
  if (days.length === 0) return without("no_shared_days", "the records share no day");
  const found = reconcileDays(promised, shown);
  if (found.reason !== undefined) return without(found.reason, dayReason(found, days.length));
  const { backtestPoints, livePoints, causes, sizeRatio } = found;
  return reconciled({
    basis: "days" as const,
    sentence: differenceSentence(found),
    first: days[0]!,
    last: days.at(-1)!,
    backtest: backtestPoints,
    live: livePoints,
    pairs: undefined,
    leftOutBacktest: undefined,
    leftOutLive: undefined,
    barSeconds: undefined,
    clockSeconds: 0,
    sizeRatio,
    causes,
    worst: [],
    notes: [],
    rows: [],
  });
}

interface Found {
  readonly basis: "trades" | "days";
  readonly backtest: number;
  readonly live: number;
  readonly pairs: number | undefined;
  readonly leftOutBacktest: number | undefined;
  readonly leftOutLive: number | undefined;
  readonly barSeconds: number | undefined;
  readonly causes: readonly Cause[];
  readonly worst: readonly MatchedRow[];
  readonly notes: readonly CheckWarning[];
  readonly rows: readonly MatchedRow[];
}

function reconciled<Of extends Found>({ rows, ...rest }: Of) {
  const reconciliation = {
    ...rest,
    difference: rest.live - rest.backtest,
    causes: rest.causes.map((cause) => ({ ...cause, moreThanChance: isMoreThanChance(cause) })),
  };
  return { reconciliation, reason: null, rows };
}

const ONE_REALISED =
  "one record has profits on the day of exit only, the other values open positions: send both lists of trades";

type DaysRefused = Exclude<ReturnType<typeof reconcileDays>, { readonly reason: undefined }>;

function dayReason(found: DaysRefused, days: number): string {
  if (found.reason === "few_days") return `the records share ${days} live days; 20 are needed`;
  if (found.reason === "not_alike")
    return "the days on which both records moved are fewer than 20 or not alike: send both lists of trades";
  const way = found.shift > 0 ? "later" : "earlier";
  return `live's days are one ${way} than the backtest's: another time zone of the day's end, or a bar's delay`;
}

/** Words for lists without a coin in common. Where one list names none, one coin each is the same. */
function withoutSharedCoin(one: Ledger, other: Ledger): string | undefined {
  const [ones, others] = [one, other].map(
    ({ trades }) => new Set(trades.map(({ symbol }) => symbol ?? "")),
  ) as [Set<string>, Set<string>];
  if ([...ones].some((coin) => others.has(coin))) return undefined;
  const [first, second] = [ones, others].map((coins) => {
    const names = [...coins].toSorted().map((coin) => coin || "no name");
    return names.slice(0, 5).join(", ") + (names.length > 5 ? ", ..." : "");
  });
  return `the files have no coin in common: ${first} in the backtest, ${second} live`;
}

function hours(seconds: number): string {
  return `${Number((seconds / 3600).toFixed(2))} h`;
}

/** Which of two shifts holds in the northern summer tells which part of the world it is. */
function clockWords({ changes, upperMonth }: Extract<NotReconciled, { reason: "clock_changes" }>) {
  const isNorthern = upperMonth >= 4 && upperMonth <= 10;
  const [winter, summer] = isNorthern ? changes : [changes[1], changes[0]];
  const zone =
    isNorthern && winter === 3600
      ? "Europe/Berlin"
      : isNorthern && winter === 0
        ? "Europe/London"
        : "";
  return (
    `live times are ${hours(winter)} later in winter and ${hours(summer)} in summer: say their zone, ` +
    `--live-timezone ${zone || "with its name"}`
  );
}
