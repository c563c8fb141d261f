import type { CheckWarning } from "../check/panel.ts";
import { ACTIVE_MIN, type Weights } from "./evidence.ts";
import { isNeverHeld } from "./how-long.ts";
import type { overlapOf } from "./two-records.ts";

/** The least correlation of two records of the same strategy. */
const SAME_STRATEGY_MIN = 0.5;
/** How many times as volatile either record may be before the difference is worth a caution. */
export const VOLATILITY_APART = 2;

const digits = (value: number) => Number(value.toPrecision(2));

interface Compared {
  readonly overlap: NonNullable<ReturnType<typeof overlapOf>>["figures"] | null;
  readonly cut: string;
  readonly droppedBacktestDays: number;
  readonly volatilityRatio: number;
  readonly activeDays: number;
}

/** What makes the comparison doubtful. `active` is the number of overlapping days on which either record moved. */
export function liveCautions(
  compared: Compared,
  weights: Weights,
  active: number,
): readonly CheckWarning[] {
  const { overlap, cut, droppedBacktestDays, volatilityRatio: ratio } = compared;
  const cautions: CheckWarning[] = [];
  const add = (code: string, message: string) => cautions.push({ code, message });
  if (droppedBacktestDays > 0) {
    add(
      "chosen_later",
      `the backtest reaches past ${cut}, from which live counts: if the variant was chosen after that day, say on which (live_since)`,
    );
  }
  if (overlap !== null && active >= ACTIVE_MIN && !(overlap.correlation >= SAME_STRATEGY_MIN)) {
    add(
      "not_the_same_strategy",
      `perhaps not the same strategy: on the ${overlap.days} days that both records have they moved alike too little ` +
        `(${digits(overlap.correlation)}, where 1 is the same): look for a difference in the program, prices or fills before ` +
        "asking about luck",
    );
  }
  const isApart = ratio > VOLATILITY_APART || ratio < 1 / VOLATILITY_APART;
  if (compared.activeDays >= ACTIVE_MIN && isApart) {
    add(
      "volatility_differs",
      `live days swing ${digits(ratio)} times as far as the backtest's: size alone changes nothing here, but ask why`,
    );
  }
  if (weights.claim > 0 && isNeverHeld(weights)) {
    add(
      "backtest_too_short",
      "the backtest is too short, or the tries were too many, to be held to: even endless live days without an edge need not contradict it",
    );
  }
  return cautions;
}
