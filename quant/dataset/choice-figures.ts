import { mean, median } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { beats, meanFigure, rangeOf, share, type Figure } from "./figure.ts";
import type { CellRecord, CoinRecord, DoubledRecord, HoldRecord } from "./record.ts";

/** A run that could have been chosen, and how it compares out-of-sample with its alternatives. */
interface Draw extends DoubledRecord {
  /** Buying and holding the coin over the same out-of-sample days, without costs. */
  readonly hold: HoldRecord;
  /** Against the default variant, a tie counting half; NaN for the default itself. */
  readonly beatsDefault: number;
}

type Question = readonly [
  name: string,
  over: (values: ArrayLike<number>) => number,
  value: (draw: Draw) => number,
];

/** The value of each draw that a figure is made from, and how those of many draws are summarised. NaN means that there is none. */
const QUESTIONS: readonly Question[] = [
  ["median_in_sample_sharpe", median, (draw) => draw.inSampleSharpe],
  ["median_out_of_sample_sharpe", median, (draw) => draw.outOfSampleSharpe],
  ["median_haircut_pct", median, (draw) => haircutPct(draw.inSampleSharpe, draw.outOfSampleSharpe)],
  ["share_keeping_half", mean, keepsHalf],
  ["median_sharpe_difference", median, (draw) => draw.inSampleSharpe - draw.outOfSampleSharpe],
  ["share_doing_worse", mean, (draw) => beats(draw.inSampleSharpe, draw.outOfSampleSharpe)],
  ["share_out_of_sample_loss", mean, (draw) => share(draw.outOfSampleReturn < 0)],
  [
    "share_beating_buy_hold_return",
    mean,
    (draw) => beats(draw.outOfSampleReturn, draw.hold.totalReturn),
  ],
  [
    "share_beating_buy_hold_sharpe",
    mean,
    (draw) => beats(draw.outOfSampleSharpe, draw.hold.sharpe),
  ],
  ["share_beating_default", mean, (draw) => draw.beatsDefault],
];

/** What the choice in one cell led to: a list of values for each question, without NaN. */
export interface Answers {
  /** Of the pick; empty lists where there is none. */
  readonly picked: readonly (readonly number[])[];
  /** Of every run it was chosen among. */
  readonly random: readonly (readonly number[])[];
  /** Of each run by its variant, NaN where it has no value or could not be chosen. */
  readonly byVariant: readonly (readonly number[])[];
  /** Share of the other eligible runs that the pick beats, a tie counting half. */
  readonly beatsOthers: readonly number[];
}

/** A cell with its coin: the unit that figures are taken over. */
export interface CellOfCoin {
  readonly coin: CoinRecord;
  readonly cell: CellRecord;
}

export function answersOf({ coin, cell }: CellOfCoin): Answers {
  const runs = cell.runs.map(({ segments: { inSample, outOfSample } }) => ({
    inSampleSharpe: inSample.sharpe,
    outOfSampleSharpe: outOfSample.sharpe,
    outOfSampleReturn: outOfSample.totalReturn,
  }));
  return answersOfChoice(runs, cell.pick, coin.hold.outOfSample);
}

/** The same when every fill costs twice as much. */
export function doubledAnswersOf({ coin, cell }: CellOfCoin): Answers {
  const runs = cell.runs.map((run) => run.doubled);
  return answersOfChoice(runs, cell.doubledPick, coin.hold.outOfSample);
}

function answersOfChoice(runs: readonly DoubledRecord[], pick: number, hold: HoldRecord): Answers {
  const known = [...runs.keys()].filter((index) => !Number.isNaN(runs[index]!.inSampleSharpe));
  const sharpeOf = (index: number) => runs[index]!.outOfSampleSharpe; // the indices are in range
  const random = known.map((index) => ({
    ...runs[index]!,
    hold,
    beatsDefault: index === 0 ? NaN : beats(sharpeOf(index), sharpeOf(0)),
  }));
  const picked = random.filter((_, index) => known[index] === pick);
  const others = known.filter((other) => other !== pick);
  const answers = (draws: readonly Draw[]) =>
    QUESTIONS.map(([, , value]) => draws.map(value).filter((answer) => !Number.isNaN(answer)));
  return {
    picked: answers(picked),
    random: answers(random),
    byVariant: QUESTIONS.map(([, , value]) => {
      const values = runs.map(() => NaN);
      for (const [index, draw] of random.entries()) values[known[index]!] = value(draw);
      return values;
    }),
    beatsOthers: picked.map((draw) =>
      mean(others.map((other) => beats(draw.outOfSampleSharpe, sharpeOf(other)))),
    ),
  };
}

/**
 * Percent of the in-sample Sharpe that was lost. NaN for an in-sample Sharpe of 0 or less, where the ratio
 * means nothing.
 */
export function haircutPct(inSample: number, outOfSample: number): number {
  return inSample > 0 ? (1 - outOfSample / inSample) * 100 : NaN;
}

/**
 * How the best in-sample run of some cells did out-of-sample, beside a run drawn at random from all that
 * could have been chosen, and the range of the 13 variants, each fixed in advance: `docs/dataset.md`, "The headline".
 */
export function choiceFigures(cells: readonly Answers[], suffix = ""): Figure[] {
  const figures = QUESTIONS.map(([name, over], question) => {
    const picked = cells.flatMap((cell) => cell.picked[question]!); // one list per question
    const random = cells.flatMap((cell) => cell.random[question]!);
    const fixed = Array.from(
      { length: cells.length > 1 ? VARIANTS_PER_TEMPLATE : 0 },
      (_, variant) => over(cells.map(({ byVariant }) => byVariant[question]![variant] ?? NaN)),
    );
    return {
      name: `${name}${suffix}`,
      value: over(picked),
      coinFlip: over(random),
      count: picked.length,
      range: rangeOf(fixed),
    };
  });
  const beaten = cells.flatMap(({ beatsOthers }) => beatsOthers);
  return [...figures, meanFigure(`share_beating_random${suffix}`, beaten, 0.5)];
}

function keepsHalf({ inSampleSharpe, outOfSampleSharpe }: Draw): number {
  if (!(inSampleSharpe > 0)) return NaN;
  return share(outOfSampleSharpe >= inSampleSharpe / 2, outOfSampleSharpe);
}
