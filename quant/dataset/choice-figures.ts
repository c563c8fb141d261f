import type { Figure } from "./figure.ts";
import { beats, compared, meanFigure, share } from "./figure.ts";
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
  /** Share of the other runs that could have been chosen which it beats, ties half. */
  readonly beatsOthers: number;
}

/** The choice in one cell: the pick, where there is one, and every run it was chosen among. */
export interface Choice {
  readonly picked: readonly Draw[];
  readonly random: readonly Draw[];
}

export function choiceOf(coin: CoinRecord, cell: CellRecord): Choice {
  const runs = cell.runs.map(({ segments: { inSample, outOfSample } }) => ({
    inSampleSharpe: inSample.sharpe,
    outOfSampleSharpe: outOfSample.sharpe,
    outOfSampleReturn: outOfSample.totalReturn,
  }));
  return drawsOf(runs, cell.pick, coin.hold.outOfSample);
}

/** The same when every fill costs twice. */
export function doubledChoiceOf(coin: CoinRecord, cell: CellRecord): Choice {
  const runs = cell.runs.map((run) => run.doubled);
  return drawsOf(runs, cell.doubledPick, coin.hold.outOfSample);
}

function drawsOf(runs: readonly DoubledRecord[], pick: number, hold: HoldRecord): Choice {
  const known = [...runs.keys()].filter((index) => !Number.isNaN(runs[index]!.inSampleSharpe));
  const draws = known.map((index) => {
    const { outOfSampleSharpe: sharpe } = runs[index]!; // known indices
    const against = (other: number) => beats(sharpe, runs[other]!.outOfSampleSharpe);
    return {
      ...runs[index]!,
      holdReturn: hold.totalReturn,
      holdSharpe: hold.sharpe,
      beatsDefault: index === 0 ? NaN : against(0),
      beatsOthers: mean(known.filter((other) => other !== index).map(against)),
    };
  });
  return { picked: draws.filter((_, place) => known[place] === pick), random: draws };
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
  const picked = choices.flatMap((choice) => choice.picked);
  const random = choices.flatMap((choice) => choice.random);
  const figure = (
    name: string,
    over: (values: readonly number[]) => number,
    value: (draw: Draw) => number,
  ) => compared(`${name}${suffix}`, over, { picked: picked.map(value), random: random.map(value) });
  return [
    figure("median_in_sample_sharpe", median, (draw) => draw.inSampleSharpe),
    figure("median_out_of_sample_sharpe", median, (draw) => draw.outOfSampleSharpe),
    figure("median_haircut_pct", median, (draw) =>
      haircutPct(draw.inSampleSharpe, draw.outOfSampleSharpe),
    ),
    figure("share_keeping_half", mean, keepsHalf),
    figure(
      "median_sharpe_difference",
      median,
      (draw) => draw.inSampleSharpe - draw.outOfSampleSharpe,
    ),
    figure("share_out_of_sample_loss", mean, (draw) => share(draw.outOfSampleReturn < 0)),
    figure("share_beating_buy_hold_return", mean, (draw) =>
      beats(draw.outOfSampleReturn, draw.holdReturn),
    ),
    figure("share_beating_buy_hold_sharpe", mean, (draw) =>
      beats(draw.outOfSampleSharpe, draw.holdSharpe),
    ),
    figure("share_beating_default", mean, (draw) => draw.beatsDefault),
    meanFigure(
      `share_beating_random${suffix}`,
      picked.map((draw) => draw.beatsOthers),
      0.5,
    ),
  ];
}

function keepsHalf({ inSampleSharpe, outOfSampleSharpe }: Draw): number {
  if (!(inSampleSharpe > 0)) return NaN;
  return share(outOfSampleSharpe >= inSampleSharpe / 2, outOfSampleSharpe);
}
