import { DEPENDENT_REASON } from "./family-figures.ts";
import type { VerdictValue } from "./report.ts";

const SKILL_P = 0.05;
const LUCK_P = 0.5;
const ACTIVE_MIN = 20;
const LOSING_MIN = 5;

/** What the verdict is made of. */
export interface VerdictInput {
  /** p-value of the selected variant before any declared trials: of the family, or of one series. */
  readonly pValue: number;
  /** Trials that `pValue` already accounts for. */
  readonly measuredTrials: number;
  /** Undefined where the sender named none. */
  readonly declaredTrials: number | undefined;
  /** One series says nothing of how many were tried; a matrix does. */
  readonly isMatrix: boolean;
  readonly activeBars: number;
  readonly losingBars: number;
  /** Only realised profits are known: what averages down or holds its losers is hidden. */
  readonly realisedOnly: boolean;
  /** Of the whole record, as a fraction. */
  readonly totalReturn: number;
  /** Steps that look like money paid in are in the returns. */
  readonly hasSuspectedFlows: boolean;
  /** A series that depends on itself over too much of the record: no estimate of its standard error can be trusted. */
  readonly isTooDependent: boolean;
  /** Why there is no p-value, if there is none. */
  readonly noPValueReason: string | null;
}

export interface Verdict {
  readonly value: VerdictValue;
  /** With the declared trials; NaN where there is none. */
  readonly pValue: number;
  /** Largest number of trials that would still be skill; 0 if even those measured are too many, NaN if no number would be. */
  readonly breakEvenTrials: number;
  /** Why the verdict is not the one its p-value would give. */
  readonly withheldReason: string | null;
}

/**
 * `skill` at p <= 0.05, `luck` at p >= 0.5, else `inconclusive`. More trials than were measured count as
 * independent: `1 - (1 - p)^(declared / measured)` (Sidak, J. of the American Statistical Association 62, 1967).
 */
export function verdictOf(input: VerdictInput): Verdict {
  const factor = Math.max(1, (input.declaredTrials ?? 1) / input.measuredTrials);
  const pValue = -Math.expm1(factor * Math.log1p(-input.pValue));
  const never = reasonToWithhold({ ...input, declaredTrials: 1 }, input.pValue) !== null;
  const breakEvenTrials = never || input.isTooDependent ? NaN : breakEven(input);
  const withheldReason = reasonToWithhold(input, pValue);
  const value = withheldReason === null ? valueOf(pValue) : "inconclusive";
  return { value, pValue, breakEvenTrials, withheldReason };
}

function valueOf(pValue: number): VerdictValue {
  if (pValue <= SKILL_P) return "skill";
  return pValue >= LUCK_P ? "luck" : "inconclusive";
}

function breakEven({ pValue, measuredTrials }: VerdictInput): number {
  if (Number.isNaN(pValue)) return NaN;
  const trials = Math.floor((measuredTrials * Math.log1p(-SKILL_P)) / Math.log1p(-pValue));
  return trials >= measuredTrials ? trials : 0;
}

const barsOf = (count: number) => (count === 1 ? "1 bar" : `${count} bars`);

function reasonToWithhold(input: VerdictInput, pValue: number): string | null {
  const { activeBars, losingBars } = input;
  if (input.noPValueReason !== null) return input.noPValueReason;
  if (activeBars < ACTIVE_MIN) {
    return `only ${barsOf(activeBars)} with a return other than 0; ${ACTIVE_MIN} are needed`;
  }
  if (losingBars < LOSING_MIN) {
    return (
      `only ${barsOf(losingBars)} lost; ${LOSING_MIN} are needed, because a strategy that wins nearly always and ` +
      "loses rarely looks the same until it loses"
    );
  }
  if (pValue > SKILL_P) return null;
  if (input.totalReturn <= 0) {
    const lost = Number((-100 * input.totalReturn).toPrecision(3));
    return `money was lost: the record ends ${lost} % below its start, whatever its mean return`;
  }
  if (input.hasSuspectedFlows) {
    return (
      "some steps look like money paid in or taken out, which is no return: name the column that has them, have those " +
      "that were detected taken out, or say that there were none"
    );
  }
  if (input.realisedOnly) {
    return (
      "only realised profits are known: a strategy that averages down or holds its losers looks like skill " +
      "there; send the daily equity curve"
    );
  }
  if (input.isTooDependent) return DEPENDENT_REASON;
  if (!input.isMatrix && input.declaredTrials === undefined) {
    return "the number of variants that were tried is not known, and it decides";
  }
  return null;
}
