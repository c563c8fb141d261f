import { dateOfDay } from "../calendar.ts";
import type { Decay } from "./decay.ts";
import {
  ACTIVE_MIN,
  contradiction,
  holds,
  LOSING_MIN,
  loses,
  type Evidence,
  type LiveTrack,
  type Weights,
} from "./evidence.ts";
import type { DecayFigures, EvidenceFigures, LiveFigures } from "./live-report.ts";

/** The numbers of trials up to which a contradiction is looked for. */
const TRIALS = [1, 10, 100, 1e3, 1e4, 1e5].flatMap((ten) => [ten, 2 * ten, 5 * ten]).concat(1e6);
const REALISED_REASON = "only realised profits are known: what holds its losers looks like an edge";

export interface EvidenceInput {
  /** Days of the live record. */
  readonly day: readonly number[];
  readonly track: LiveTrack;
  readonly weights: Weights;
  /** The weights, were there so many trials. */
  readonly weightsAt: (trials: number) => Weights;
  readonly measuredTrials: number;
  readonly realisedOnly: boolean;
  /** Why nothing is claimed; null where something is. */
  readonly unclaimedReason: string | null;
}

/** Both stops and the edge, with the reasons where there is no evidence. */
export function evidenceFigures(of: EvidenceInput): Pick<LiveFigures, "stop" | "holds"> {
  const { track, weights, unclaimedReason, realisedOnly } = of;
  const { dependence } = weights;
  const early = earlyReason(track);
  const losing = `fewer than ${LOSING_MIN} live days lost`;
  const edge = holds(track, dependence);
  const few = Number.isNaN(edge.today) ? (early ?? losing) : null;
  return {
    stop: {
      contradiction: {
        ...figuresOf(contradiction(track, weights), of, unclaimedReason ?? early),
        upToTrials: unclaimedReason === null ? upToTrials(of) : 0,
      },
      loses: figuresOf(loses(track, dependence), of, early),
    },
    holds: realisedOnly ? figuresOf(NONE, of, REALISED_REASON) : figuresOf(edge, of, few),
  };
}

const NONE: Evidence = { today: NaN, highest: NaN, reachedAt: -1 };

function figuresOf(
  { today, highest, reachedAt }: Evidence,
  { day }: EvidenceInput,
  reason: string | null,
): EvidenceFigures {
  return {
    evidence: today,
    evidenceHighest: highest,
    reachedOn: dateAt(reachedAt, day),
    evidenceReason: reason,
  };
}

export function decayFigures(decay: Decay, of: EvidenceInput): DecayFigures {
  return {
    onceInDays: decay.onceInDays,
    since: dateAt(decay.since, of.day),
    reachedOn: dateAt(decay.reachedAt, of.day),
    onceInDaysReason: of.unclaimedReason ?? earlyReason(of.track),
  };
}

function earlyReason({ active, sharpe }: LiveTrack): string | null {
  if (active.at(-1)! >= ACTIVE_MIN)
    return Number.isNaN(sharpe.at(-1)) ? "every live day has the same return" : null;
  return `fewer than ${ACTIVE_MIN} live days have a return other than 0`;
}

function dateAt(place: number, day: readonly number[]): string | null {
  return place < 0 ? null : dateOfDay(day[place]!);
}

/** The most variants, as many as were measured at least, up to which the live record contradicts the claim. */
function upToTrials({ track, weightsAt, measuredTrials }: EvidenceInput): number {
  let most = 0;
  for (const count of TRIALS) {
    const trials = Math.max(count, measuredTrials);
    if (contradiction(track, weightsAt(trials)).reachedAt < 0) break;
    most = trials;
  }
  return most;
}
