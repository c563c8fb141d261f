import type { Figure } from "./figure.ts";
import { beats, meanFigure, share } from "./figure.ts";
import { mean, median } from "./quantile.ts";
import type { CellRecord, CoinRecord, DoubledRecord, HoldRecord } from "./record.ts";

/** A run that could have been chosen, and how it did out-of-sample against what else there was. */
interface Draw {
  readonly inSampleSharpe: number;
  readonly outOfSampleSharpe: number;
  readonly outOfSampleReturn: number;
  /** Holding the coin over the same out-of-sample days, without costs. */
  readonly holdReturn: number;
  readonly holdSharpe: number;
  /** Against the default variant, ties half; NaN for the default itself. */
  readonly beatsDefault: number;
}

/** What is asked of each draw, and how the answers of many are summed up. NaN counts for none. */
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

/**
 * The choice in one cell as answers, one list for each question: a cell is part of five scopes, and is
 * asked once.
 */
export interface Choice {
  /** Of the pick; empty lists where there is none. */
  readonly picked: Answers;
  /** Of every run it was chosen among. */
  readonly random: Answers;
  /** Share of the other runs that could have been chosen which the pick beats, ties half. */
  readonly beatsOthers: readonly number[];
}

/** Without NaN. */
type Answers = readonly (readonly number[])[];

export function choiceOf(coin: CoinRecord, cell: CellRecord): Choice {
  const runs = cell.runs.map(({ segments: { inSample, outOfSample } }) => ({
    inSampleSharpe: inSample.sharpe,
    outOfSampleSharpe: outOfSample.sharpe,
    outOfSampleReturn: outOfSample.totalReturn,
  }));
  return askAll(runs, cell.pick, coin.hold.outOfSample);
}

/** The same when every fill costs twice. */
export function doubledChoiceOf(coin: CoinRecord, cell: CellRecord): Choice {
  const runs = cell.runs.map((run) => run.doubled);
  return askAll(runs, cell.doubledPick, coin.hold.outOfSample);
}

function askAll(runs: readonly DoubledRecord[], pick: number, hold: HoldRecord): Choice {
  const known = [...runs.keys()].filter((index) => !Number.isNaN(runs[index]!.inSampleSharpe));
  const sharpeOf = (index: number) => runs[index]!.outOfSampleSharpe; // known indices, or the default's
  const draws = known.map((index) => ({
    inSampleSharpe: runs[index]!.inSampleSharpe,
    outOfSampleSharpe: sharpeOf(index),
    outOfSampleReturn: runs[index]!.outOfSampleReturn,
    holdReturn: hold.totalReturn,
    holdSharpe: hold.sharpe,
    beatsDefault: index === 0 ? NaN : beats(sharpeOf(index), sharpeOf(0)),
  }));
  const picked = draws.filter((_, place) => known[place] === pick);
  const others = known.filter((other) => other !== pick);
  return {
    picked: answersOf(picked),
    random: answersOf(draws),
    beatsOthers: picked.map((draw) =>
      mean(others.map((other) => beats(draw.outOfSampleSharpe, sharpeOf(other)))),
    ),
  };
}

function answersOf(draws: readonly Draw[]): Answers {
  return QUESTIONS.map(({ value }) => draws.map(value).filter((answer) => !Number.isNaN(answer)));
}

/** Percent of the in-sample Sharpe that was lost. A ratio to nothing or to a loss says nothing: NaN. */
export function haircutPct(inSample: number, outOfSample: number): number {
  return inSample > 0 ? (1 - outOfSample / inSample) * 100 : NaN;
}

/**
 * What choosing the best in-sample run gave out-of-sample, against a run drawn at random from all
 * those that could have been chosen. `overfitting.md`, section 7, figures 1 and 5.
 */
export function choiceFigures(choices: readonly Choice[], suffix = ""): Figure[] {
  const figures = QUESTIONS.map(({ name, over }, question) => {
    const picked = joined(choices.map((choice) => choice.picked[question]!)); // one for each question
    const random = joined(choices.map((choice) => choice.random[question]!));
    return {
      name: `${name}${suffix}`,
      value: over(picked),
      coinFlip: over(random),
      count: picked.length,
    };
  });
  const beaten = choices.flatMap((choice) => choice.beatsOthers);
  return [...figures, meanFigure(`share_beating_random${suffix}`, beaten, 0.5)];
}

/** The lists one behind the other. */
function joined(lists: readonly (readonly number[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((length, list) => length + list.length, 0));
  let end = 0;
  for (const list of lists) for (const value of list) all[end++] = value;
  return all;
}

function keepsHalf({ inSampleSharpe, outOfSampleSharpe }: Draw): number {
  if (!(inSampleSharpe > 0)) return NaN;
  return share(outOfSampleSharpe >= inSampleSharpe / 2, outOfSampleSharpe);
}
