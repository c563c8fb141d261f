import { DEPENDENT_REASON } from "./family-figures.ts";
import type { ForeknownCode } from "./timing-words.ts";

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
  /** Whether they don't show how many were tried: one series, or a few finished ones. */
  readonly isHandful: boolean;
  readonly activeBars: number;
  readonly losingBars: number;
  /** That prices were known too early, and what to send instead. */
  readonly early?: { readonly code: ForeknownCode; readonly text: string } | undefined;
  /** Whether only realised profits are known, which hide averaging down and losers that are held. */
  readonly realisedOnly: boolean;
  /** Of the whole record, as a fraction. */
  readonly totalReturn: number;
  /** Whether some returns look like money paid in. */
  readonly hasSuspectedFlows: boolean;
  /** Whether a single series depends on itself over too much of the record for any standard error. */
  readonly isTooDependent: boolean;
  /** Why there is no p-value, if there is none. */
  readonly noPValueReason: string | null;
}

/**
 * The verdict: `skill` at p <= 0.05, `luck` at p >= 0.5, else `inconclusive`. More trials than were measured count
 * as independent: `1 - (1 - p)^(declared / measured)` (Sidak, J. of the American Statistical Association 62, 1967).
 */
export function verdictOf(input: VerdictInput) {
  const factor = Math.max(1, (input.declaredTrials ?? 1) / input.measuredTrials);
  const pValue = -Math.expm1(factor * Math.log1p(-input.pValue));
  const never = reasonToWithhold({ ...input, declaredTrials: Infinity }, input.pValue) !== null;
  const withheldReason = reasonToWithhold(input, pValue);
  return {
    value: withheldReason === null ? valueOf(pValue) : "inconclusive",
    /** With the declared trials; NaN where there is none. */
    pValue,
    /** The most trials that would still be skill: 0 if those measured are too many, NaN if no number would be. */
    breakEvenTrials: never || input.isTooDependent ? NaN : breakEven(input),
    /** The least trials at which it would be luck. */
    luckTrials: Math.max(input.measuredTrials, Math.ceil(trialsAt(input, LUCK_P))),
    /** Whether the record ends below its start. */
    isLoss: input.totalReturn < 0,
    /** Why the verdict is not the one that its p-value would give. */
    withheldReason,
    /** Set where prices were known too early. */
    withheldCode: input.early?.text === withheldReason ? input.early!.code : null,
  };
}

export type Verdict = ReturnType<typeof verdictOf>;

function valueOf(pValue: number): "skill" | "inconclusive" | "luck" {
  if (pValue <= SKILL_P) return "skill";
  return pValue >= LUCK_P ? "luck" : "inconclusive";
}

function breakEven({ pValue, measuredTrials }: VerdictInput): number {
  if (Number.isNaN(pValue)) return NaN;
  const trials = Math.floor(trialsAt({ pValue, measuredTrials }, SKILL_P));
  return trials >= measuredTrials ? trials : 0;
}

/** An optimiser's table has at least this many variants, or fewer where their names differ by numbers alone. */
const [SHOWN_MIN, NUMBERED_MIN] = [10, 5];
/** Names of what was finished, and of what was traded. */
const FINISHED = /optimi[sz]ed|tuned|(?<![a-z])(best|coin|asset|symbol|stock)s?(?![a-z])/i;

/**
 * Whether the variants may be what was left of any number that was tried: few, or many whose names share no parts, as
 * those of assets and of finished strategies do. Those of an optimiser repeat the values of a parameter.
 */
export function areHandful(names: readonly string[]): boolean {
  const forms = names
    .filter((name) => !FINISHED.test(name))
    .map((name) => name.replace(/\d+(\.\d+)?/g, "#"));
  const isNumbered = forms.some(
    (one) => forms.filter((form) => form === one).length >= NUMBERED_MIN,
  );
  const parts = new Set(names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}.]+/u)));
  return !isNumbered && (names.length < SHOWN_MIN || parts.size >= names.length);
}

/** The number of trials with which the p-value would be `level`; no whole number. */
function trialsAt(
  { pValue, measuredTrials }: Pick<VerdictInput, "pValue" | "measuredTrials">,
  level: number,
): number {
  return (measuredTrials * Math.log1p(-level)) / Math.log1p(-pValue);
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
      "some steps look like money paid in or taken out, which isn't a return: name the column that has them, have those " +
      "that were detected taken out, or say that there were none"
    );
  }
  if (input.early !== undefined) return input.early.text;
  if (input.realisedOnly) {
    return (
      "only realised profits are known: a strategy that averages down or holds its losers looks like skill " +
      "there; send the daily equity curve"
    );
  }
  if (input.isTooDependent) return DEPENDENT_REASON;
  if (input.isHandful && !((input.declaredTrials ?? 0) >= input.measuredTrials)) {
    const { measuredTrials: few } = input;
    const held =
      few === 1
        ? ""
        : `: the file has ${few}, and a few finished ones don't say how many came before them`;
    return `the number of variants that were tried is not known, and it decides${held}`;
  }
  return null;
}
