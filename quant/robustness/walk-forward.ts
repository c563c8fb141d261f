import { mean } from "../sample-statistics.ts";
import { DAYS_PER_YEAR } from "../calendar.ts";
import { NO_PREMIUM, pickOf, premiumOf } from "./cell-premium.ts";
import { cutAt, growthBetween, sharpeBetween, sharpeOfSums, type RunTracks } from "./run-track.ts";
import type { TestWindow } from "./windows.ts";

const NOTHING = { premium: NO_PREMIUM, pickGrowth: NaN, defaultGrowth: NaN, meanGrowth: NaN };

/**
 * What following a rule's best variant from quarter to quarter led to: each quarter holds the variant with the best
 * Sharpe ratio until its beginning. Changing from one variant to another costs nothing beyond what each pays for its
 * own trades. The in-sample premium is the mean over the quarters; out-of-sample, all quarters are one series. Growths
 * are logarithms per year; `meanGrowth` is the mean over the variants. `runs` are the indices of the cell's runs, the
 * default first.
 */
export function walkForward(
  tracks: RunTracks,
  runs: readonly number[],
  quarters: readonly TestWindow[],
) {
  const cuts = quarters.map(
    ({ split, end }) => [cutAt(tracks, split), cutAt(tracks, end)] as const,
  );
  const [begin, stop] = [cuts[0]?.[0], cuts.at(-1)?.[1]];
  if (begin === undefined || stop === undefined) return NOTHING;
  const sharpes = (from: number, to: number) =>
    runs.map((run) => sharpeBetween(tracks, run, from, to));
  const followed = { sum: 0, squares: 0, growth: 0 };
  const premiums: number[] = [];
  for (const [split, end] of cuts) {
    const inSample = sharpes(0, split);
    const pick = pickOf(inSample);
    if (pick < 0) return NOTHING;
    premiums.push(inSample[pick]! - mean(inSample));
    const at = runs[pick]! * tracks.cuts.length; // a pick is one of the runs
    followed.sum += tracks.sums[at + end]! - tracks.sums[at + split]!;
    followed.squares += tracks.squares[at + end]! - tracks.squares[at + split]!;
    followed.growth += Math.log(growthBetween(tracks, runs[pick]!, split, end));
  }
  const days = tracks.cuts[stop]! - tracks.cuts[begin]!;
  const perYear = DAYS_PER_YEAR / days;
  const before = sharpes(0, begin);
  // The followed series is compared with the variants like one more run of the cell.
  const { outOfSample } = premiumOf(runs.length, {
    inSample: [...before, NaN],
    outOfSample: [...sharpes(begin, stop), sharpeOfSums(followed.sum, followed.squares, days)],
  });
  const growths = runs.map((run) => Math.log(growthBetween(tracks, run, begin, stop)) * perYear);
  return {
    premium: Number.isNaN(outOfSample) ? NO_PREMIUM : { inSample: mean(premiums), outOfSample },
    pickGrowth: followed.growth * perYear,
    defaultGrowth: growths[0]!, // a cell has 13 runs
    meanGrowth: mean(growths),
  };
}
