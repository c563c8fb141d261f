import type { Figure } from "./figure.ts";
import { beats, meanFigure, share } from "./figure.ts";
import { mean, median } from "../sample-statistics.ts";
import type { CellRecord, CoinRecord, DoubledRecord, HoldRecord } from "./record.ts";

/** A run that could have been chosen, and how it compares out-of-sample with its alternatives. */
interface Draw {
  readonly inSampleSharpe: number;
  readonly outOfSampleSharpe: number;
  readonly outOfSampleReturn: number;
  /** Buying and holding the coin over the same out-of-sample days, without costs. */
  readonly holdReturn: number;
  readonly holdSharpe: number;
  /** Against the default variant, a tie counting half; NaN for the default itself. */
  readonly beatsDefault: number;
}

/** The questions put to each draw, and how the answers of many draws are summarised. NaN is no answer. */
const QUESTIONS: readonly {
  readonly name: string;
  readonly over: (values: ArrayLike<number>) => number;
  readonly value: (draw: Draw) => number;
}[] = [
  { name: "median_in_sample_sharpe", over: median, value: (draw) => draw.inSampleSharpe },
  { name: "median_out_of_sample_sharpe", over: median, value: (draw) => draw.outOfSampleSharpe },
  {
    name: "median_haircut_pct",
    over: median,
    value: (draw) => haircutPct(draw.inSampleSharpe, draw.outOfSampleSharpe),
  },
  { name: "share_keeping_half", over: mean, value: keepsHalf },
  {
    name: "median_sharpe_difference",
    over: median,
    value: (draw) => draw.inSampleSharpe - draw.outOfSampleSharpe,
  },
  {
    name: "share_doing_worse",
    over: mean,
    value: (draw) => beats(draw.inSampleSharpe, draw.outOfSampleSharpe),
  },
  {
    name: "share_out_of_sample_loss",
    over: mean,
    value: (draw) => share(draw.outOfSampleReturn < 0),
  },
  {
    name: "share_beating_buy_hold_return",
    over: mean,
    value: (draw) => beats(draw.outOfSampleReturn, draw.holdReturn),
  },
  {
    name: "share_beating_buy_hold_sharpe",
    over: mean,
    value: (draw) => beats(draw.outOfSampleSharpe, draw.holdSharpe),
  },
  { name: "share_beating_default", over: mean, value: (draw) => draw.beatsDefault },
];

/** The choice in one cell. */
interface Choice {
  /** The pick; empty where there is none. */
  readonly picked: readonly Draw[];
  /** Every run it was chosen among. */
  readonly random: readonly Draw[];
  /** Share of the other eligible runs that the pick beats, a tie counting half. */
  readonly beatsOthers: readonly number[];
}

/** The choice in one cell as answers: a list for each question, without NaN. */
export interface Answers {
  readonly picked: readonly (readonly number[])[];
  readonly random: readonly (readonly number[])[];
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
  return answered(choiceOf(runs, cell.pick, coin.hold.outOfSample));
}

/** The same when every fill costs twice as much. */
export function doubledAnswersOf({ coin, cell }: CellOfCoin): Answers {
  const runs = cell.runs.map((run) => run.doubled);
  return answered(choiceOf(runs, cell.doubledPick, coin.hold.outOfSample));
}

function choiceOf(runs: readonly DoubledRecord[], pick: number, hold: HoldRecord): Choice {
  const known = [...runs.keys()].filter((index) => !Number.isNaN(runs[index]!.inSampleSharpe));
  const sharpeOf = (index: number) => runs[index]!.outOfSampleSharpe; // the indices are in range
  const random = known.map((index) => ({
    inSampleSharpe: runs[index]!.inSampleSharpe,
    outOfSampleSharpe: sharpeOf(index),
    outOfSampleReturn: runs[index]!.outOfSampleReturn,
    holdReturn: hold.totalReturn,
    holdSharpe: hold.sharpe,
    beatsDefault: index === 0 ? NaN : beats(sharpeOf(index), sharpeOf(0)),
  }));
  const picked = random.filter((_, place) => known[place] === pick);
  const others = known.filter((other) => other !== pick);
  return {
    picked,
    random,
    beatsOthers: picked.map((draw) =>
      mean(others.map((other) => beats(draw.outOfSampleSharpe, sharpeOf(other)))),
    ),
  };
}

function answered({ picked, random, beatsOthers }: Choice): Answers {
  const answers = (draws: readonly Draw[]) =>
    QUESTIONS.map(({ value }) => draws.map(value).filter((answer) => !Number.isNaN(answer)));
  return { picked: answers(picked), random: answers(random), beatsOthers };
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
 * could have been chosen: `docs/dataset.md`, "The headline".
 */
export function choiceFigures(cells: readonly Answers[], suffix = ""): Figure[] {
  const figures = QUESTIONS.map(({ name, over }, question) => {
    const picked = cells.flatMap((cell) => cell.picked[question]!); // one list per question
    const random = cells.flatMap((cell) => cell.random[question]!);
    return {
      name: `${name}${suffix}`,
      value: over(picked),
      coinFlip: over(random),
      count: picked.length,
    };
  });
  const beaten = cells.flatMap(({ beatsOthers }) => beatsOthers);
  return [...figures, meanFigure(`share_beating_random${suffix}`, beaten, 0.5)];
}

function keepsHalf({ inSampleSharpe, outOfSampleSharpe }: Draw): number {
  if (!(inSampleSharpe > 0)) return NaN;
  return share(outOfSampleSharpe >= inSampleSharpe / 2, outOfSampleSharpe);
}
