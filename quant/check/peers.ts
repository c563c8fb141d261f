import type { Bars } from "../bars.ts";
import { rowOfDay, sliceBars } from "../bars.ts";
import { maxDrawdown, sharpeRatio, totalReturn } from "../engine/statistics.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { afterwardsNote, afterwardsOf, type KnownRun } from "./afterwards.ts";
import type { CheckProgress } from "./check-progress.ts";
import { gridSharpes, permutedLuckBar } from "./permuted-luck-bar.ts";
import { DAY_SECONDS, dayOf } from "./ordered-rows.ts";

/** What is known of the coin that was traded. */
export interface PeersData {
  readonly coin: string;
  readonly bars: Bars;
  /** The dataset's runs, of all coins. */
  readonly known: readonly KnownRun[];
  /** Days by which the panel's dates are later than the closes they refer to. */
  readonly shift: number;
  /** Coins that were traded beside it. */
  readonly others?: readonly string[];
  /** Permutations for the luck bar, 100 by default. */
  readonly draws?: number;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

interface PeersInput {
  readonly instants: Float64Array;
  readonly barSeconds: number;
  /** Returns of the selected variant and of the coin. */
  readonly returns: Float64Array;
  readonly coin: Float64Array;
}

const DRAWS = 100;
/** Moves of the coin that count, and the share of them on which a long position may move the other way. */
const LARGE_MOVE = 0.01;
const OPPOSITE_MAX = 0.15;

/**
 * The backtest among runs of our own rules on the same coin over the same days, and what came after runs like it; or
 * the reason for having none, where it isn't daily long-or-flat trading of the coin.
 */
export function peersFigures(input: PeersInput, data: PeersData) {
  const reason = notComparable(input, data);
  if (reason !== undefined) return { peers: null, reason };
  const { bars, from, to } = windowOf(input, data);
  const sharpes = gridSharpes(bars, { from, to }).filter((sharpe) => !Number.isNaN(sharpe));
  const { coin: hold, returns } = input;
  // By the conventions of our runs, whatever year and risk-free rate the check was given.
  const sharpe = sharpeRatio(returns, 0, returns.length);
  const days = to - from - 1;
  const draws = data.draws ?? DRAWS;
  const told = (done: number) => data.onProgress?.({ step: "peers", done, total: draws });
  const afterwards = afterwardsOf(data.known, { sharpe, days });
  return {
    reason: null,
    peers: {
      coin: data.coin,
      sameDays: {
        runs: sharpes.length,
        rank: 1 + sharpes.filter((other) => other > sharpe).length,
        hold: {
          sharpe: sharpeRatio(hold, 0, hold.length),
          totalReturn: totalReturn(hold, 0, hold.length),
          maxDrawdown: maxDrawdown(hold, 0, hold.length),
        },
        luckBar: permutedLuckBar(bars, { from, to }, draws, told),
      },
      afterwards: afterwards ?? null,
      afterwardsNote: afterwardsNote(afterwards),
    },
  };
}

/** The history up to the panel's last day, and the window from the close before its first day on. */
function windowOf({ instants }: PeersInput, { bars, shift }: PeersData) {
  const from = rowOfDay(bars, dayOf(instants[0]!) - shift) - 1;
  const to = rowOfDay(bars, dayOf(instants.at(-1)!) - shift) + 1;
  return { bars: sliceBars(bars, 0, to), from, to };
}

function notComparable(input: PeersInput, data: PeersData): string | undefined {
  const { instants, barSeconds, returns, coin } = input;
  const others = data.others ?? [];
  if (others.length > 0) return `not comparable: it traded ${others.join(", ")} as well`;
  const span = Math.round((instants.at(-1)! - instants[0]!) / DAY_SECONDS) + 1;
  if (barSeconds > DAY_SECONDS || span !== instants.length) {
    return "not comparable: our runs have a bar for each day";
  }
  if (windowOf(input, data).from < WARM_UP_DAYS) {
    return `not comparable: our rules need ${WARM_UP_DAYS} days of ${data.coin} before the first day`;
  }
  let [moves, opposite] = [0, 0];
  for (let row = 0; row < returns.length; row++) {
    if (returns[row] === 0 || Math.abs(coin[row]!) < LARGE_MOVE) continue;
    moves++;
    if (returns[row]! * coin[row]! < 0) opposite++;
  }
  if (moves === 0) return `not comparable: it never moves with ${data.coin}`;
  const share = opposite / moves;
  if (share <= OPPOSITE_MAX) return undefined;
  return (
    `not comparable: on ${Math.round(100 * share)} % of the large moves of ${data.coin} it went the other way, and ` +
    "our rules are long or flat at daily closes"
  );
}
