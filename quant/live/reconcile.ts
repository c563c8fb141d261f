/** Why live differs, by trades: how two lists of closed trades are matched and their difference is split into causes. */
import type { Ledger } from "../check/trade.ts";
import { mean, median, variance } from "../sample-statistics.ts";
import { barOf, clockOf } from "./clocks.ts";
import { matchEntries } from "./match-entries.ts";
import { grouped, positionsOf, sideOf, type Position } from "./positions.ts";
import { TRADE_CAUSES, type TradeCause } from "./trade-causes.ts";

/** A cause of the difference. `t` is NaN where there is too little to test. */
export interface Cause<Name extends string = TradeCause | "drag"> {
  readonly cause: Name;
  /** Trades, pairs or days that have it. */
  readonly count: number;
  /** Percent of the account, below 0 where live lost by it. */
  readonly points: number;
  readonly t: number;
}

/** A position of either list, or a pair, and what it adds to each cause. */
export interface MatchedRow {
  readonly cause: "matched" | "missing" | "extra" | "left_out";
  readonly backtest: Position | undefined;
  readonly live: Position | undefined;
  readonly parts: Readonly<Partial<Record<TradeCause, number>>>;
  readonly points: number;
}

/** |t| from which a cause is more than chance: at 2.64 (0.05/6) very skewed results of 10 pairs pass in 8 % of worlds. */
export const CHANCE_T = 3;
/** Points below this are rounding. */
export const POINTS_MIN = 1e-7;
const TRADES_MIN = 5;
const PAIRS_MIN = 10;
/** Pairs whose entry prices differ by more than this factor were not made at prices of one market. */
const PRICE_RATIO_MAX = 1.5;

export type NotReconciled =
  | { readonly reason: "few_trades" }
  | {
      readonly reason: "clock_changes";
      readonly changes: readonly [number, number];
      readonly upperMonth: number;
    };

export type TradesReconciled = Exclude<ReturnType<typeof reconcileTrades>, NotReconciled>;

/**
 * Splits live less backtest over the days lived into causes that add up to it. Names of coins have to agree already.
 * `since` is the first live instant; by default the first live entry less a bar and a half.
 */
export function reconcileTrades(backtestLedger: Ledger, liveLedger: Ledger, since?: number) {
  const [backtest, asWritten] = [positionsOf(backtestLedger), positionsOf(liveLedger)];
  if (Math.min(backtest.length, asWritten.length) < TRADES_MIN)
    return { reason: "few_trades" } as const;
  const clock = clockOf(backtest, asWritten);
  if ("changes" in clock) return { reason: "clock_changes", ...clock } as const;
  const { seconds } = clock;
  const live = asWritten.map((position) => ({
    ...position,
    entry: position.entry - seconds,
    exit: position.exit - seconds,
  }));
  const bar = barOf(backtest.map(({ entry }) => entry));
  const pairs = partners(backtest, live, { centre: clock.centre - seconds, bar });
  const slack = 1.5 * (bar ?? 60);
  const begin = since ?? live[0]!.entry - slack;
  const rows = countedRows({ backtest, live, pairs }, { begin, slack, bar });
  const counted = rows.filter(({ cause }) => cause !== "left_out");
  const [ofBacktest, ofLive] = [positionsIn(counted, "backtest"), positionsIn(counted, "live")];
  const leftOut = rows.filter(({ cause }) => cause === "left_out");
  const [backtestPoints, livePoints] = [ofBacktest, ofLive].map(sharesOf) as [number, number];
  const ends = [...ofBacktest, ...ofLive].map(({ exit }) => exit);
  return {
    reason: undefined,
    first: begin,
    last: ends.reduce((a, b) => Math.max(a, b), begin),
    backtestPoints,
    livePoints,
    pairs: counted.filter(({ cause }) => cause === "matched").length,
    leftOutBacktest: positionsIn(leftOut, "backtest").length,
    leftOutLive: positionsIn(leftOut, "live").length,
    endedEarly: endOf(leftOut, ofLive, slack),
    barSeconds: bar,
    clockSeconds: seconds,
    sizeRatio: Math.exp(mean(sizesOf(counted))),
    causes: causesOf(counted, livePoints - backtestPoints),
    rows,
  };
}

function sharesOf(positions: readonly Position[]): number {
  return positions.reduce((sum, { share }) => sum + share, 0);
}

export function positionsIn(rows: readonly MatchedRow[], side: "backtest" | "live"): Position[] {
  return rows.map((row) => row[side]).filter((position) => position !== undefined);
}

/** The end of the live record, where more than five trades of the backtest came after it. */
function endOf(leftOut: readonly MatchedRow[], live: readonly Position[], slack: number) {
  const end = live.reduce((last, { exit }) => Math.max(last, exit), -Infinity);
  const after = positionsIn(leftOut, "backtest").filter(({ exit }) => exit > end + slack);
  return after.length > 5 ? end : undefined;
}

interface Partners {
  readonly backtest: readonly Position[];
  readonly live: readonly Position[];
  readonly pairs: ReadonlyMap<Position, Position>;
}

/**
 * Partners by entry alone, within each coin and side. The tolerance is a sixth of the usual distance of the backtest's
 * entries, between 1.5 and 6.5 bars.
 */
function partners(
  backtest: readonly Position[],
  live: readonly Position[],
  { centre, bar }: { readonly centre: number; readonly bar: number | undefined },
): ReadonlyMap<Position, Position> {
  const [least, most] = bar === undefined ? [60, 6 * 3600] : [1.5 * bar, 6.5 * bar];
  const sides = grouped(live, sideOf);
  const pairs = new Map<Position, Position>();
  for (const [side, ones] of grouped(backtest, sideOf)) {
    const others = sides.get(side) ?? [];
    const entries = Float64Array.from(ones, ({ entry }) => entry);
    const distance = median(entries.subarray(1).map((entry, index) => entry - entries[index]!));
    const tolerance = Math.min(most, Math.max(least, (distance || Infinity) / 6));
    const shifted = Float64Array.from(others, ({ entry }) => entry - centre);
    for (const [one, other] of matchEntries(entries, shifted, tolerance))
      pairs.set(ones[one]!, others[other]!);
  }
  return pairs;
}

/** Pairs and positions without a partner, those included that say nothing because either record may not have run then. */
function countedRows(
  { backtest, live, pairs }: Partners,
  limits: { readonly begin: number; readonly slack: number; readonly bar: number | undefined },
): MatchedRow[] {
  const { begin, slack, bar } = limits;
  const endsBy = (others: readonly Position[]) =>
    others.reduce((last, { exit }) => Math.max(last, exit), -Infinity) + slack;
  const [backtestEnd, liveEnd] = [endsBy(backtest), endsBy(live)];
  const leftOut = { cause: "left_out", parts: {}, points: 0 } as const;
  const ofBacktest = backtest.map((one): MatchedRow => {
    const other = pairs.get(one);
    if (other !== undefined) {
      if (other.entry < begin) return { ...leftOut, backtest: one, live: other };
      const parts = partsOf(one, other, bar);
      return {
        cause: "matched",
        backtest: one,
        live: other,
        parts,
        points: other.share - one.share,
      };
    }
    const position = { backtest: one, live: undefined };
    if (one.entry < begin || one.exit > liveEnd) return { ...leftOut, ...position };
    return { cause: "missing", ...position, parts: { missing: -one.share }, points: -one.share };
  });
  const taken = new Set(pairs.values());
  const extra = live
    .filter((one) => !taken.has(one))
    .map((one): MatchedRow => {
      const position = { backtest: undefined, live: one };
      if (one.entry < begin || one.exit > backtestEnd) return { ...leftOut, ...position };
      return { cause: "extra", ...position, parts: { extra: one.share }, points: one.share };
    });
  return [...ofBacktest, ...extra];
}

/**
 * Splits a pair's difference: with w = quantity x entry price, d = 1 long and -1 short, and r = w_live / w_backtest, size
 * (r - 1) s_b, entry w_l d X_b (1/E_l - 1/E_b), exit w_l d (X_l - X_b)/E_l, and what fees, funding and the rest of the
 * profit differ from r times those of the backtest. With s = w d (X/E - 1) - fees - funding + rest the parts add up to
 * s_l - s_b. The order is a convention: size comes first and takes the fees of the larger trade along.
 */
function partsOf(one: Position, other: Position, bar = 60): MatchedRow["parts"] {
  const apart = Math.abs(Math.log(other.entryPrice / one.entryPrice));
  if (!one.isPriced || !other.isPriced || !(apart <= Math.log(PRICE_RATIO_MAX)))
    return { result: other.share - one.share };
  const direction = one.long ? 1 : -1;
  const ratio = sizeRatio(one, other);
  const weight = other.quantity * other.entryPrice * direction;
  const restOf = ({ share, quantity, entryPrice, exitPrice, fees, funding }: Position) =>
    share - direction * quantity * (exitPrice - entryPrice) + fees + funding;
  const isApart = (side: "entry" | "exit") => Math.abs(other[side] - one[side]) > bar / 2;
  return {
    size: (ratio - 1) * one.share,
    [isApart("entry") ? "entry_time" : "entry_price"]:
      weight * one.exitPrice * (1 / other.entryPrice - 1 / one.entryPrice),
    [isApart("exit") ? "exit_time" : "exit_price"]:
      (weight * (other.exitPrice - one.exitPrice)) / other.entryPrice,
    fees: ratio * one.fees - other.fees,
    funding: ratio * one.funding - other.funding,
    rest: restOf(other) - ratio * restOf(one),
  };
}

function sizeRatio(one: Position, other: Position): number {
  return (other.quantity * other.entryPrice) / (one.quantity * one.entryPrice);
}

/** ln of the size of each pair whose prices explain its profits. */
function sizesOf(rows: readonly MatchedRow[]): number[] {
  return rows
    .filter(({ parts }) => parts.size !== undefined)
    .map(({ backtest, live }) => Math.log(sizeRatio(backtest!, live!))); // only pairs have the part
}

/** The causes that any trade has. What rounding leaves of the others is in the rest, so that all add up. */
function causesOf(rows: readonly MatchedRow[], difference: number): Cause<TradeCause>[] {
  const tests: Readonly<Partial<Record<TradeCause, number>>> = {
    missing: chosenT(rows, "missing"),
    extra: chosenT(rows, "extra"),
    size: meanT(sizesOf(rows)),
  };
  const named = TRADE_CAUSES.slice(0, -1).flatMap((cause) => {
    const parts = rows.map((row) => row.parts[cause] ?? 0);
    const having = parts.filter((part) => Math.abs(part) > POINTS_MIN);
    const points = parts.reduce((sum, part) => sum + part, 0);
    const t = tests[cause] ?? meanT(having);
    if (having.length === 0 && Math.abs(points) <= POINTS_MIN) return [];
    return [{ cause, count: having.length, points, t }];
  });
  const points = difference - named.reduce((sum, cause) => sum + cause.points, 0);
  const count = rows.filter(({ parts }) => Math.abs(parts.rest ?? 0) > POINTS_MIN).length;
  if (count === 0 && points === 0) return named;
  return [...named, { cause: "rest", count, points, t: NaN }];
}

function meanT(values: readonly number[]): number {
  if (values.length < PAIRS_MIN) return NaN;
  return mean(values) / Math.sqrt(variance(values) / values.length);
}

/** The chosen trades' mean share against that of all trades of their list, drawn without replacement. */
function chosenT(rows: readonly MatchedRow[], cause: "missing" | "extra"): number {
  const side = cause === "missing" ? "backtest" : "live";
  const shares = (some: readonly MatchedRow[]) => positionsIn(some, side).map(({ share }) => share);
  return drawnT(shares(rows.filter((row) => row.cause === cause)), shares(rows));
}

/** The mean of some values less that of all, over its standard error if they were drawn without replacement (Cochran 1977, 2.3). */
export function drawnT(some: readonly number[], all: readonly number[]): number {
  const [k, n] = [some.length, all.length];
  if (k < TRADES_MIN || n - k < TRADES_MIN) return NaN;
  return (mean(some) - mean(all)) / Math.sqrt((variance(all) / k) * (1 - k / n));
}
