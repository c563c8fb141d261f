import { dateOfDay } from "../calendar.ts";
import { nearestRates } from "../check/error-rates.ts";
import type { CheckWarning } from "../check/panel.ts";
import { inferSharpe, type SharpeInference } from "../check/sharpe-inference.ts";
import { amongOthers, claimAfterLuck, type Claim } from "./claim.ts";
import { decay } from "./decay.ts";
import { liveDependence } from "./dependence.ts";
import { evidenceFigures } from "./evidence-figures.ts";
import { liveTrack, type LiveTrack, type Weights } from "./evidence.ts";
import { howLong } from "./how-long.ts";
import { liveCautions } from "./live-cautions.ts";
import { liveWords } from "./live-verdict.ts";
import { LIVE_ROWS } from "./measured-rates.ts";
import { accountOf, pictureOf } from "./picture.ts";
import { cutRecords, overlapOf, type DailyRecord } from "./two-records.ts";

/** Bars of the backtest that a claim needs, as in the check's own verdict. */
const ACTIVE_MIN = 20;
const LOSING_MIN = 5;

const MEASURED_RATES = LIVE_ROWS.map(([variants, bars, ...shares]) => {
  const [falseStop3y, falseStop10y, falseHolds10y, records] = shares;
  return { variants, bars, falseStop3y, falseStop10y, falseHolds10y, records };
});

/** One of the two records, with how it was read. */
interface RecordInput extends DailyRecord {
  readonly periodsPerYear: number;
  /** Whether only profits on the day of exit are known. */
  readonly realisedOnly: boolean;
}

export interface LiveInput {
  /** All variants over the backtest's days; the one at `place` is claimed, and is `backtest`. */
  readonly columns: readonly Float64Array[];
  readonly index: number;
  readonly backtest: RecordInput;
  readonly live: RecordInput;
  /** Variants ever tried, as declared by the sender. */
  readonly nTrials?: number | undefined;
  /** Whether the variants are a few finished ones, which don't show how many were tried. */
  readonly isHandful?: boolean;
  /** Day from which live counts. */
  readonly since?: number | undefined;
  /** An annual rate, taken off both records. */
  readonly riskFree?: number | undefined;
  /** What the files say that no figure shows. */
  readonly cautions?: readonly CheckWarning[];
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Whether the live record is still what the backtest promised, from both as daily returns. */
export function checkLive(input: LiveInput) {
  const { columns, backtest, live, riskFree = 0, cautions = [], onProgress } = input;
  const { periodsPerYear, realisedOnly } = live;
  const records = cutRecords(backtest, live, input.since);
  const { returns, day } = records.live;
  const promised = records.backtest.returns;
  const [rate, promisedRate] = [riskFree / periodsPerYear, riskFree / backtest.periodsPerYear];
  const inference = inferSharpe(promised, promisedRate);
  const withheldReason = reasonToWithhold(input, inference);
  const nTrials = trialsOf(input);
  const claimAt = claimsOf(input, promised.length, inference);
  const claim = claimAt(nTrials.value);
  const track = liveTrack(returns, { riskFree: rate, periodsPerYear });
  const excess = lessRate(returns, rate);
  const dependence = liveDependence(claim, excess);
  const weightsOf = ({ afterLuck, error }: Claim): Weights => {
    return { claim: withheldReason === null ? afterLuck : NaN, error, dependence };
  };
  const weights = weightsOf(claim);
  const gone = decay(excess, track, weights, (done) => onProgress?.(done, returns.length));
  const unclaimedReason = withheldReason ?? nothingLeft(claim, nTrials.value);
  const overlap = overlapOf(backtest, live, { cut: records.cut, periodsPerYear });
  const usual = inference.deviation * Math.sqrt(backtest.periodsPerYear / periodsPerYear);
  const picture = pictureOf({
    ...weights,
    claimed: lessRate(promised, promisedRate),
    live: excess,
    deviation: track.deviation.at(-1)! || usual, // equal days, or one of them, have none
    periodsPerYear,
  });
  const figures = {
    ...recordFigures(records, track, usual),
    account: accountOf(returns, picture),
    dependence,
    claim: { ...claim, nTrials, bars: inference.bars },
    ...evidenceFigures({
      day,
      track,
      weights,
      weightsAt: (trials) => weightsOf(claimAt(trials)),
      decay: gone,
      measuredTrials: columns.length,
      realisedOnly,
      unclaimedReason,
    }),
    howLong: { ...howLong(weights), stopReason: unclaimedReason },
    overlap: overlap?.figures ?? null,
  };
  return {
    ...figures,
    picture,
    verdict: {
      ...liveWords(figures, { withheldReason, isDecayed: gone.isReached }),
      cautions: [...liveCautions(figures, weights, overlap?.active ?? 0), ...cautions],
      withheldReason,
      errorRates: nearestRates(MEASURED_RATES, { trials: nTrials.value, bars: inference.bars }),
    },
  };
}

/** The days of both records on their sides of the cut, and the live ones today beside the usual deviation. */
function recordFigures(
  { live: { day }, ...records }: ReturnType<typeof cutRecords>,
  { active, losing, sharpe, deviation, periodsPerYear }: LiveTrack,
  usual: number,
) {
  return {
    first: dateOfDay(day[0]!), // there is a live day
    last: dateOfDay(day.at(-1)!),
    /** The first day that counts as live and no longer as backtest. */
    cut: dateOfDay(records.cut),
    days: day.length,
    gapDays: records.gapDays,
    droppedLiveDays: records.droppedLiveDays,
    droppedBacktestDays: records.droppedBacktestDays,
    activeDays: active.at(-1)!,
    losingDays: losing.at(-1)!,
    periodsPerYear,
    sharpe: sharpe.at(-1)!,
    volatilityRatio: deviation.at(-1)! / usual,
  };
}

/** What luck leaves of the claimed variant's Sharpe ratio over the first bars, as a function of the trials. */
function claimsOf(
  { columns, index, backtest, riskFree = 0 }: LiveInput,
  bars: number,
  inference: SharpeInference,
): (trials: number) => Claim {
  const { periodsPerYear } = backtest;
  const cut = columns.map((column) => column.subarray(0, bars));
  const moving = cut.filter((column) => column.some((value) => value !== column[0]));
  const excess = moving.map((column) => lessRate(column, riskFree / periodsPerYear));
  const claimed = {
    inference: amongOthers(inference, excess),
    columns: excess,
    index: moving.indexOf(cut[index]!),
    periodsPerYear,
  };
  return (trials) => claimAfterLuck(claimed, trials);
}

function trialsOf({ columns, nTrials, isHandful = false }: LiveInput) {
  const measured = columns.length;
  if (nTrials !== undefined && nTrials >= measured) {
    return { value: nTrials, source: "declared" as const };
  }
  const source = measured > 1 && !isHandful ? ("measured" as const) : ("assumed" as const);
  return { value: measured, source };
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
  if (few !== null || backtest.realisedOnly === live.realisedOnly) return few;
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

function lessRate(returns: Float64Array, rate: number): Float64Array {
  return rate === 0 ? returns : returns.map((value) => value - rate);
}
