import type { Bars } from "../quant/bars.ts";
import type { CoinQualityRecord } from "../snapshots/manifest.ts";
import { settleDays } from "./price-rules/days.ts";
import { layOut, mergeHistory, startOfHistory } from "./price-rules/history.ts";
import type { PreviousHistory } from "./price-rules/history.ts";
import { REJECTS_LISTED_MAX, STALE_AFTER_DAYS } from "./price-rules/limits.ts";
import { screen, type Reject } from "./price-rules/screen.ts";
import { unitChanges } from "./price-rules/unit-changes.ts";
import type { Horizon } from "./price-rules/raw-row.ts";
import { boundedRaw } from "./price-rules/raw-row.ts";
import type { FileFaultReason, RejectReason, SourceCoin } from "./price-rules/raw-row.ts";

/** How a coin's history came about. */
export interface CoinQuality extends Omit<CoinQualityRecord, "rejected"> {
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
  /** Whether the last day is more than STALE_AFTER_DAYS before as_of. */
  readonly stale: boolean;
  readonly fault: FileFaultReason | null;
}

/** A coin's history as it is published. The bars are empty when no row was accepted. */
export interface CleanCoin {
  readonly ticker: string;
  readonly bars: Bars;
  readonly filled: Uint8Array;
  /** By line. */
  readonly rejects: readonly Reject[];
  readonly quality: CoinQuality;
}

interface PriceRulesInput {
  readonly coin: SourceCoin;
  readonly previous?: PreviousHistory | undefined;
  readonly horizon: Horizon;
}

/**
 * The published history of a coin: its source's rows merged with what was published before, by the rules of
 * `docs/data.md`. Pure: the same input twice gives the same bars and no revision.
 *
 * If nothing could be read (`coin.fault`), the published history stays as it is and becomes stale. A refused row
 * never replaces a published day.
 */
export function applyPriceRules({ coin, previous, horizon }: PriceRulesInput): CleanCoin {
  const screened = screen(coin, horizon);
  const settled = settleDays(screened.rows);
  const found = [...screened.rejects, ...settled.rejects];
  const rows = settled.rows.filter(({ day }) => day <= horizon.asOf);
  const { merged, ...changes } = mergeHistory(rows, previous, {
    asOf: horizon.asOf,
    isWithdrawn: withdrawal(coin, found),
  });
  const start = startOfHistory(merged);
  const { bars, filled } = layOut(merged.slice(start));
  // Refusals of earlier runs keep their lines; where two have the same line, the earlier day comes first.
  const kept = carriedRejects(coin, previous, horizon);
  const rejects = [...kept, ...faultReject(coin), ...found].sort((a, b) => a.line - b.line);
  const listed = rejects.slice(0, REJECTS_LISTED_MAX);
  return {
    ticker: coin.ticker,
    bars,
    filled,
    rejects: listed,
    quality: {
      rowsRead: coin.rows.length + coin.faults.length,
      accepted: rows.length,
      filled: filled.reduce((sum, flag) => sum + flag, 0),
      rejected: countByReason(rejects),
      rejectsUnlisted: rejects.length - listed.length,
      duplicatesDropped: settled.duplicatesDropped,
      incompleteDropped: screened.incompleteDropped,
      afterAsOf: screened.afterAsOf + settled.rows.length - rows.length,
      ...restart(coin, previous, {
        leftOut: merged.slice(0, start).map(({ day }) => day),
        restartedAt: bars.day[0] ?? null,
        asOf: horizon.asOf,
      }),
      stale: isStale(bars, horizon.asOf),
      ...changes,
      unitChanges: unitChanges(bars),
      fault: coin.fault?.reason ?? null,
    },
  };
}

function isStale({ day }: Bars, asOf: number): boolean {
  const last = day.at(-1);
  return last !== undefined && asOf - last > STALE_AFTER_DAYS;
}

/** The same history in a snapshot that ends earlier than expected, though not before the history does. */
export function endingOn(asOf: number, coin: CleanCoin): CleanCoin {
  return { ...coin, quality: { ...coin.quality, stale: isStale(coin.bars, asOf) } };
}

/**
 * Whether the source has withdrawn a day that it no longer lists. Only a source that lists all it has can do so, and
 * only if the day of every refused row is known.
 */
function withdrawal(coin: SourceCoin, rejects: readonly Reject[]): (day: number) => boolean {
  const complete =
    coin.whole && coin.fault === null && coin.faults.every(({ day }) => day !== null);
  const refused = new Set(rejects.map(({ day }) => day));
  return (day) => complete && !refused.has(day);
}

/**
 * Where the history restarted, and how many days before that are left out. A continued history keeps its record: in
 * the nights after a gap, an exchange sends the last days before it again, which are already counted.
 */
function restart(
  coin: SourceCoin,
  previous: PreviousHistory | undefined,
  at: { leftOut: readonly number[]; restartedAt: number | null; asOf: number },
): Pick<CoinQuality, "restartedAt" | "daysBeforeGapLeftOut"> {
  const continued = (!coin.whole || coin.fault !== null) && previous !== undefined;
  const restartedBefore = continued ? (previous.restartedAt ?? null) : null;
  const known = restartedBefore !== null && restartedBefore <= at.asOf ? restartedBefore : null;
  const leftOutBefore = known === null ? 0 : (previous?.daysBeforeGapLeftOut ?? 0);
  if (at.leftOut.length === 0) return { restartedAt: known, daysBeforeGapLeftOut: leftOutBefore };
  const { length } = at.leftOut.filter((day) => known === null || day >= known);
  return { restartedAt: at.restartedAt, daysBeforeGapLeftOut: leftOutBefore + length };
}

/** Published refusals of days that were not fetched again. */
function carriedRejects(
  coin: SourceCoin,
  previous: PreviousHistory | undefined,
  { asOf }: Horizon,
): Reject[] {
  const before = coin.fault === null ? coin.fetchedFrom : Infinity;
  if (before === null) return [];
  return (previous?.rejects ?? []).filter(({ day }) => day !== null && day < before && day <= asOf);
}

/** A fault is a refusal of the whole input, unless the source does not have the coin, which the summary reports. */
function faultReject({ fault }: SourceCoin): Reject[] {
  if (fault === null || fault.reason === "file_missing") return [];
  return [{ day: null, line: 0, reason: fault.reason, raw: boundedRaw(fault.message) }];
}

function countByReason(rejects: readonly Reject[]): Partial<Record<RejectReason, number>> {
  const counts: Partial<Record<RejectReason, number>> = {};
  for (const { reason } of rejects) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
