import { dateOfDay } from "../calendar.ts";
import type { CheckWarning } from "../check/panel.ts";
import { inferSharpe, type SharpeInference } from "../check/sharpe-inference.ts";
import { claimAfterLuck, type Claim } from "./claim.ts";
import { decay } from "./decay.ts";
import { liveDependence } from "./dependence.ts";
import { decayFigures, evidenceFigures } from "./evidence-figures.ts";
import { liveTrack, type LiveTrack, type Weights } from "./evidence.ts";
import { howLong } from "./how-long.ts";
import { liveCautions } from "./live-cautions.ts";
import { liveRatesAt } from "./live-rates.ts";
import type { LiveClaim, LiveFigures, LiveVerdict } from "./live-report.ts";
import { liveSentence, liveValueOf, type LiveEvidence, type Standing } from "./live-verdict.ts";
import { pictureOf } from "./picture.ts";
import { cutRecords, overlapOf, type CutRecords, type DailyRecord } from "./two-records.ts";

/** The bars that a claim needs, as the check's own verdict does. */
const ACTIVE_MIN = 20;
const LOSING_MIN = 5;

/** One of the two records, with how it was read. */
export interface RecordInput extends DailyRecord {
  readonly periodsPerYear: number;
  /** Whether only profits on the day of exit are known. */
  readonly realisedOnly: boolean;
}

export interface LiveInput {
  /** All variants over the backtest's days; the one at `place` is claimed, and is `backtest`. */
  readonly columns: readonly Float64Array[];
  readonly place: number;
  readonly backtest: RecordInput;
  readonly live: RecordInput;
  /** Variants ever tried, as the sender says. */
  readonly nTrials?: number | undefined;
  /** Day from which live counts. */
  readonly since?: number | undefined;
  /** A rate a year, taken off both. */
  readonly riskFree?: number | undefined;
  /** What is known of the files that no figure shows. */
  readonly cautions?: readonly CheckWarning[];
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Whether the live record is still what the backtest promised, from both as daily returns. */
export function checkLive(input: LiveInput): LiveFigures {
  const { backtest, live, riskFree = 0, onProgress } = input;
  const records = cutRecords(backtest, live, input.since);
  const { returns, day } = records.live;
  const inference = inferSharpe(records.backtest.returns, riskFree / backtest.periodsPerYear);
  const withheldReason = reasonToWithhold(input, inference);
  const trials = trialsOf(input);
  const claimAt = claimsOf(input, records, inference);
  const claim = claimAt(trials.value);
  const rate = riskFree / live.periodsPerYear;
  const { periodsPerYear } = live;
  const track = liveTrack(returns, { riskFree: rate, periodsPerYear });
  const excess = lessRate(returns, rate);
  const deviation = track.deviation.at(-1)!; // there is a live day
  const dependence = liveDependence(claim, excess);
  const weightsAt = ({ afterLuck, error }: Claim): Weights => ({
    claim: withheldReason === null ? afterLuck : NaN,
    error,
    dependence,
  });
  const weights = weightsAt(claim);
  const gone = decay(excess, track, weights, (done) => onProgress?.(done, returns.length));
  const unclaimedReason = withheldReason ?? nothingLeft(claim, trials.value);
  const of = {
    day,
    track,
    weights,
    weightsAt: (count: number) => weightsAt(claimAt(count)),
    measuredTrials: input.columns.length,
    realisedOnly: live.realisedOnly,
    unclaimedReason,
  };
  const overlap = overlapOf(backtest, live, { cut: records.cut, periodsPerYear });
  const usual = inference.deviation * Math.sqrt(backtest.periodsPerYear / periodsPerYear);
  const figures = {
    ...spanOf(records),
    ...todayOf(track),
    volatilityRatio: deviation / usual,
    dependence,
    claim: { ...claim, nTrials: trials, bars: inference.bars },
    ...evidenceFigures(of),
    decay: decayFigures(gone, of),
    howLong: { ...howLong(weights), stopReason: unclaimedReason },
    overlap: overlap?.figures ?? null,
  };
  const isStanding = { withheldReason, isDecayed: gone.isReached };
  const cautions = liveCautions(figures, weights, overlap?.active ?? 0);
  const seen = {
    claimed: lessRate(records.backtest.returns, riskFree / backtest.periodsPerYear),
    live: excess,
    deviation: deviation > 0 ? deviation : usual,
    periodsPerYear,
  };
  return {
    ...figures,
    picture: pictureOf({ ...weights, ...seen }),
    verdict: verdictOf(figures, isStanding, [...cautions, ...(input.cautions ?? [])]),
  };
}

function verdictOf(
  figures: LiveEvidence,
  standing: Standing,
  cautions: readonly CheckWarning[],
): LiveVerdict {
  const { claim } = figures;
  const { withheldReason } = standing;
  const value = liveValueOf(figures, standing);
  const sentence = liveSentence(value, figures, withheldReason);
  const errorRates = liveRatesAt(claim.nTrials.value, claim.bars);
  return { value, sentence, cautions, withheldReason, errorRates };
}

/** What is left of the claimed variant's Sharpe ratio before the cut if this many were tried. */
function claimsOf(
  { columns, place, backtest, riskFree = 0 }: LiveInput,
  { backtest: before }: CutRecords,
  inference: SharpeInference,
): (trials: number) => Claim {
  const { periodsPerYear } = backtest;
  const cut = columns.map((column) => column.subarray(0, before.returns.length));
  const moving = cut.filter((column) => column.some((value) => value !== column[0]));
  const of = {
    inference,
    columns: moving.map((column) => lessRate(column, riskFree / periodsPerYear)),
    place: moving.indexOf(cut[place]!),
    periodsPerYear,
  };
  return (trials) => claimAfterLuck(of, trials);
}

function trialsOf({ columns, nTrials }: LiveInput): LiveClaim["nTrials"] {
  const measured = columns.length;
  if (nTrials !== undefined && nTrials >= measured) return { value: nTrials, source: "declared" };
  return { value: measured, source: measured > 1 ? "measured" : "assumed" };
}

/** Why nothing can be claimed of a backtest; null where it can. */
export function tooFewBars({ activeBars, losingBars }: SharpeInference): string | null {
  if (activeBars < ACTIVE_MIN)
    return `only ${activeBars} days of the backtest have a return other than 0; ${ACTIVE_MIN} are needed`;
  if (losingBars >= LOSING_MIN) return null;
  return `only ${losingBars} days of the backtest lost; ${LOSING_MIN} are needed`;
}

function reasonToWithhold(
  { backtest, live }: LiveInput,
  inference: SharpeInference,
): string | null {
  const few = tooFewBars(inference);
  if (few !== null) return few;
  if (backtest.realisedOnly === live.realisedOnly) return null;
  const [marked, other] = live.realisedOnly
    ? ["backtest", "live record"]
    : ["live record", "backtest"];
  return (
    `only the ${marked} has what open positions were worth; of the ${other}, profits are known on the day of exit alone: ` +
    "send daily values of both, or the trades of both"
  );
}

function nothingLeft({ afterLuck, sharpe }: Claim, trials: number): string | null {
  if (afterLuck > 0) return null;
  return `nothing is claimed: luck among ${trials} explains a Sharpe ratio of ${sharpe.toFixed(2)}`;
}

function todayOf({ active, losing, sharpe, periodsPerYear }: LiveTrack) {
  return {
    activeDays: active.at(-1)!, // there is a live day
    losingDays: losing.at(-1)!,
    periodsPerYear,
    sharpe: sharpe.at(-1)!,
  };
}

function spanOf(records: CutRecords) {
  const { live, cut, gapDays, droppedLiveDays, droppedBacktestDays } = records;
  return {
    first: dateOfDay(live.day[0]!),
    last: dateOfDay(live.day.at(-1)!),
    cut: dateOfDay(cut),
    days: live.day.length,
    gapDays,
    droppedLiveDays,
    droppedBacktestDays,
  };
}

function lessRate(returns: Float64Array, rate: number): Float64Array {
  return rate === 0 ? returns : returns.map((value) => value - rate);
}
