import { quickselect } from "simple-statistics";
import { normalQuantile } from "../overfitting/normal-quantile.ts";

/** A move of the market that tells a position, and a larger one that is needed for it. */
const BIG = 0.01;
const TOLD_BIG = 0.02;
/** Two positions that differ by at most this share of one are the same. */
const NEAR = 0.1;
/** Returns up to this come from interest or rounding. */
const STILL = 0.0003;
const CASH_MAX = 0.001;
const MIN = 20;
const TOLD_MIN = 0.55;
const SCORE = 5;
const FALSE_ALARMS = 0.0001;

/**
 * A record with every position taken a bar later, and two bars later. The score of a delay is the sum of what it costs
 * over the root of the sum of squares; for increments that are symmetric given the past, P(score >= z) <= exp(-z^2 / 2)
 * whatever their sizes (de la Pena, Klass and Lai, Annals of Probability 32, 2004). No position is read from a later bar,
 * so errors cost power and raise no false alarm: `docs/methods.md`. Undefined where too few bars tell one.
 */
export function oneBarLater(returns: Float64Array, market: Float64Array) {
  const size = sizeOf(returns, market);
  if (Number.isNaN(size)) return undefined;
  const { held, asked, told } = positionsOf(returns, market, size);
  const late = (by: number, cash: number) =>
    market.map((move, bar) => (bar < by ? 0 : held[bar - by]! * move + cash));
  const known = late(1, 0);
  const usual = ranked(returns.map((own, bar) => own - known[bar]!).subarray(1), 0.5);
  const cash = usual > 0 && usual <= CASH_MAX ? usual : 0;
  const [one, two] = [late(1, cash), late(2, cash)];
  const changed = (sooner: Float64Array, later: Float64Array, from: number) => {
    const costs = sooner.map((own, bar) => own - later[bar]!);
    return costs.filter((cost, bar) => {
      const move = Math.max(Math.abs(market[bar]!), BIG);
      return bar >= from && Math.abs(cost) > Math.max(NEAR * size * move, STILL);
    });
  };
  const [first, second] = [changed(returns, one, 1), changed(one, two, 2)];
  const share = told / asked;
  const fault = asked < MIN ? "few_moves" : share < TOLD_MIN ? "positions_unclear" : null;
  const [score1, score2] = [scoreOf(first), scoreOf(second)];
  const [changes1, changes2] = [first.length, second.length];
  return {
    fault,
    size,
    cash,
    asked,
    told: share,
    one,
    two,
    score1,
    score2,
    changes1,
    changes2,
  } as const;
}

/** The score at which one honest record in 10,000 is found, as the best of so many trials and with two delays. */
export function scoreNeeded(trials: number): number {
  return Math.max(SCORE, -normalQuantile(FALSE_ALARMS / (2 * trials)));
}

function scoreOf(changes: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const value of changes) {
    sum += value;
    squares += value * value;
  }
  return sum / Math.sqrt(squares) || 0; // without a change
}

/** The usual size of a position, as a multiple of the account. */
function sizeOf(returns: Float64Array, market: Float64Array): number {
  const ratios = returns
    .map((own, bar) => Math.abs(own / market[bar]!))
    .filter((_, bar) => Math.abs(market[bar]!) >= BIG && Math.abs(returns[bar]!) > STILL);
  if (ratios.length < MIN) return NaN;
  const least = 0.1 * ranked(ratios, 0.9);
  const large = ratios.filter((ratio) => ratio > least);
  return ranked(large, 0.5);
}

/** The position on each bar, the bars that are looked at for one, and those of them that tell one. */
function positionsOf(returns: Float64Array, market: Float64Array, size: number) {
  let [position, asked, told] = [0, 0, 0];
  const held = returns.map((own, bar) => {
    const move = market[bar]!;
    const isFlat = Math.abs(own) <= Math.max(NEAR * size * Math.abs(move), STILL);
    if (Math.abs(move) < BIG) {
      if (!isFlat) position ||= Math.sign(own * move) * size;
      else if (size * Math.abs(move) > 0.001) position = 0;
      return position;
    }
    const ratio = own / move;
    const isSame = [Math.abs(position), size].some(
      (step) => Math.abs(Math.abs(ratio) - step) <= NEAR * step,
    );
    const isAsked = Math.abs(move) >= TOLD_BIG && (position !== 0 || !isFlat);
    if (isAsked) asked++;
    if (isAsked && (isFlat || isSame)) told++;
    const most = isSame ? Infinity : 3 * size;
    position = isFlat ? 0 : Math.max(-most, Math.min(most, ratio));
    return position;
  });
  return { held, asked, told };
}

/** Element `floor(p (n - 1))` of the values if they were sorted. Changes their order. */
function ranked(values: Float64Array, p: number): number {
  const index = Math.floor(p * (values.length - 1));
  quickselect(values as unknown as number[], index, 0, values.length - 1);
  return values[index]!; // there are some
}
