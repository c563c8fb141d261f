import { dateOfDay } from "../calendar.ts";
import type { Decay } from "./decay.ts";
import {
  ACTIVE_MIN,
  contradiction,
  holds,
  LOSING_MIN,
  loses,
  NO_EVIDENCE,
  type Evidence,
  type LiveTrack,
  type Weights,
} from "./evidence.ts";

/** The numbers of trials at which a contradiction is looked for. */
const TRIALS = [1, 10, 100, 1e3, 1e4, 1e5].flatMap((ten) => [ten, 2 * ten, 5 * ten]).concat(1e6);
const REALISED_REASON = "only realised profits are known: what holds its losers looks like an edge";

interface EvidenceInput {
  /** Days of the live record. */
  readonly day: readonly number[];
  readonly track: LiveTrack;
  readonly weights: Weights;
  /** The weights if that many variants had been tried. */
  readonly weightsAt: (trials: number) => Weights;
  readonly decay: Decay;
  readonly measuredTrials: number;
  readonly realisedOnly: boolean;
  /** Why nothing is claimed; null where something is. */
  readonly unclaimedReason: string | null;
}

/** Both stops, the edge and the decay, each with the reason where there is no evidence. */
export function evidenceFigures(input: EvidenceInput) {
  const { day, track, weights, decay, unclaimedReason, realisedOnly } = input;
  const early = earlyReason(track);
  const dateAt = (index: number) => (index < 0 ? null : dateOfDay(day[index]!));
  const figuresOf = ({ today, highest, reachedAt }: Evidence, reason: string | null) => ({
    evidence: today,
    evidenceHighest: highest,
    reachedOn: dateAt(reachedAt),
    evidenceReason: reason,
  });
  const edge = realisedOnly ? NO_EVIDENCE : holds(track, weights.dependence);
  const noEdgeReason = early ?? `fewer than ${LOSING_MIN} live days lost`;
  return {
    stop: {
      contradiction: {
        ...figuresOf(contradiction(track, weights), unclaimedReason ?? early),
        /** The most variants that may have been tried without undoing the contradiction; 0 for none. */
        upToTrials: unclaimedReason === null ? upToTrials(input) : 0,
      },
      loses: figuresOf(loses(track, weights.dependence), early),
    },
    holds: figuresOf(
      edge,
      realisedOnly ? REALISED_REASON : Number.isNaN(edge.today) ? noEdgeReason : null,
    ),
    decay: {
      onceInDays: decay.onceInDays,
      since: dateAt(decay.since),
      reachedOn: dateAt(decay.reachedAt),
      onceInDaysReason: unclaimedReason ?? early,
    },
  };
}

function earlyReason({ active, sharpe }: LiveTrack): string | null {
  if (active.at(-1)! >= ACTIVE_MIN)
    return Number.isNaN(sharpe.at(-1)) ? "every live day has the same return" : null;
  return `fewer than ${ACTIVE_MIN} live days have a return other than 0`;
}

/** The most trials, no fewer than were measured, at which the live record contradicts the claim. */
function upToTrials({ track, weightsAt, measuredTrials }: EvidenceInput): number {
  let most = 0;
  for (const count of TRIALS) {
    const trials = Math.max(count, measuredTrials);
    if (contradiction(track, weightsAt(trials)).reachedAt < 0) break;
    most = trials;
  }
  return most;
}
