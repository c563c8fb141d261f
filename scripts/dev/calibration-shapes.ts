/** Returns of all variants of a panel over the same bars, and of the coin that they trade, where there is one. */
export interface MadePanel {
  readonly columns: readonly Float64Array[];
  readonly coin?: Float64Array;
}

/** A process that makes returns without an edge, which a test has to withstand. */
export interface Shape {
  readonly name: string;
  /**
   * `unseen` shapes were chosen while no result of any shape was known for the rules in force, and first drawn for the
   * published tables. No test can hold its bound on every shape (Bahadur and Savage 1956): two are `not controlled`.
   */
  readonly kind: "controlled" | "unseen" | "not controlled";
  /** The least variants of its panels: 1, unless its variants differ. */
  readonly variantsMin?: number;
  /** The most variants of its panels. */
  readonly variantsMax: number;
  readonly draw: (size: PanelSize, random: () => number) => MadePanel;
}

export interface PanelSize {
  readonly variants: number;
  readonly bars: number;
}

/** Returns of one variant with mean 0. */
export type DrawColumn = (bars: number, random: () => number) => Float64Array;

export const DEVIATION = 0.02;

/** Like `Float64Array.from`, which takes twice as long. */
export function filled(length: number, next: (row: number) => number): Float64Array {
  const out = new Float64Array(length);
  for (let row = 0; row < length; row++) out[row] = next(row);
  return out;
}

/** A standard normal number, by Box and Muller. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Student's t, by Bailey, "Polar generation of random variates with the t-distribution", Math. Comp. 62, 1994. */
function student(freedom: number, random: () => number): number {
  const radius = Math.sqrt(freedom * ((1 - random()) ** (-2 / freedom) - 1));
  return radius * Math.cos(2 * Math.PI * random());
}

/** Student's t with 4 degrees of freedom, scaled to variance 1. */
function student4(random: () => number): number {
  return student(4, random) / Math.SQRT2;
}

function independent(next: (random: () => number) => number): DrawColumn {
  return (bars, random) => filled(bars, () => DEVIATION * next(random));
}

/** GARCH(1,1), 0.1 and 0.85, with t(4) innovations (Bollerslev 1986, 1987). */
function garch(bars: number, random: () => number): Float64Array {
  let variance = 1;
  let last = 0;
  const step = () => {
    variance = 0.05 + 0.1 * last * last + 0.85 * variance;
    last = Math.sqrt(variance) * student4(random);
    return DEVIATION * last;
  };
  for (let warm = 0; warm < 100; warm++) step();
  return filled(bars, step);
}

function autoregressive(bars: number, random: () => number): Float64Array {
  let last = normal(random);
  return filled(bars, () => {
    last = 0.2 * last + Math.sqrt(1 - 0.04) * normal(random);
    return DEVIATION * last;
  });
}

/** Positions that overlap: the return of each is spread over this many bars after its entry. */
function overlapping(span: number): DrawColumn {
  return (bars, random) => {
    const shocks = filled(bars + span, () => normal(random));
    return filled(bars, (row) => {
      let sum = 0;
      for (let back = 0; back < span; back++) sum += shocks[row + back]!;
      return (DEVIATION * sum) / Math.sqrt(span);
    });
  };
}

/** Variants that overlap for different spans, given by the share of the variants that come before: 0 for the first. */
function mixed(name: string, spanAt: (share: number) => number): Shape {
  return {
    name,
    kind: "controlled",
    variantsMin: 2,
    variantsMax: 200,
    draw: ({ variants, bars }, random) => ({
      columns: Array.from({ length: variants }, (_, index) =>
        overlapping(spanAt(index / variants))(bars, random),
      ),
    }),
  };
}

/** A rule that is in the market on some 5 % of the bars, for 5 bars at a time on average. */
function seldom(bars: number, random: () => number): Float64Array {
  let held = random() < 0.05;
  return filled(bars, () => {
    held = held ? random() >= 0.2 : random() < 0.2 / 19;
    return held ? DEVIATION * normal(random) : 0;
  });
}

/** In the market on some days only: small gains, and losses that are lognormal, rare and large. */
function rarelyLarge(active: number, spread: number): DrawColumn {
  return (bars, random) => {
    const column = new Float64Array(bars);
    for (let left = active; left > 0;) {
      const row = Math.floor(random() * bars);
      if (column[row] !== 0) continue;
      column[row] = 0.01 * (Math.exp((spread * spread) / 2) - Math.exp(spread * normal(random)));
      left--;
    }
    return column;
  };
}

/** An edge that comes and goes: its Sharpe ratio is an AR(1) of 0.99 with a deviation of 2 around 0. */
function phases(bars: number, random: () => number): Float64Array {
  let edge = 2 * normal(random);
  return filled(bars, () => {
    edge = 0.99 * edge + 2 * Math.sqrt(1 - 0.99 ** 2) * normal(random);
    return DEVIATION * (normal(random) + edge / Math.sqrt(365));
  });
}

/** Stochastic volatility in logarithms, 0.95, with a jump on one bar in a hundred. */
function jumps(bars: number, random: () => number): Float64Array {
  let level = 0;
  return filled(bars, () => {
    level = 0.95 * level + 0.2 * normal(random);
    const jump = random() < 0.01 ? 4 * normal(random) : 0;
    return DEVIATION * (Math.exp(level / 2) * normal(random) + jump);
  });
}

/** Mean and deviation of the two-piece t(5) with skew 0.8. */
const SKEW = 0.8;
const SKEWED_MEAN = ((4 * Math.sqrt(5)) / (3 * Math.PI)) * (SKEW - 1 / SKEW);
const SKEWED_DEVIATION = Math.sqrt(
  ((5 / 3) * (SKEW ** 3 + SKEW ** -3)) / (SKEW + 1 / SKEW) - SKEWED_MEAN ** 2,
);

/** A t(5) that is skewed to the left, mean 0 and variance 1: Fernandez and Steel, J. of the ASA 93, 1998. */
function skewed5(random: () => number): number {
  const size = Math.abs(student(5, random));
  const isRight = random() < SKEW ** 2 / (1 + SKEW ** 2);
  return ((isRight ? size * SKEW : -size / SKEW) - SKEWED_MEAN) / SKEWED_DEVIATION;
}

/** EGARCH(1,1) (Nelson 1991): losses raise the volatility more than gains, and are larger. */
function leverage(bars: number, random: () => number): Float64Array {
  let logVariance = 0;
  const step = () => {
    const z = skewed5(random);
    const value = DEVIATION * Math.exp(logVariance / 2) * z;
    logVariance = 0.95 * logVariance + 0.15 * (Math.abs(z) - 0.75) - 0.1 * z;
    return value;
  };
  for (let warm = 0; warm < 100; warm++) step();
  return filled(bars, step);
}

/** E min(z^2, 4) of a standard normal z: 0.954500 - 4 x 0.0539910 + 8 x 0.0227501. */
const STOPPED_SQUARE = 0.9205365;

/** Earns a premium and loses the square of the market move, up to a stop at two deviations. */
function shortGamma(bars: number, random: () => number): Float64Array {
  return filled(bars, () => DEVIATION * (STOPPED_SQUARE - Math.min(4, normal(random) ** 2)));
}

/** Wins nearly always, and rarely loses it all. */
export function rareLosses(share: number): DrawColumn {
  const loss = share / (1 - share);
  return (bars, random) =>
    filled(bars, () => {
      const size = 0.001 * (1 + 0.2 * normal(random));
      return random() < share ? size : -loss * size;
    });
}

export function shapesOf(
  kind: Shape["kind"],
  draws: Readonly<Record<string, DrawColumn>>,
): Shape[] {
  return Object.entries(draws).map(([name, drawColumn]) => ({
    name,
    kind,
    variantsMax: 200,
    draw: ({ variants, bars }, random) => ({
      columns: Array.from({ length: variants }, () => drawColumn(bars, random)),
    }),
  }));
}

/**
 * Made-up shapes, whose variants are independent of one another. In mixed ones, the edge goes to a variant that does
 * not overlap.
 */
export const SHAPES: readonly Shape[] = [
  ...shapesOf("controlled", {
    normal: independent(normal),
    "t(4)": independent(student4),
    "GARCH(1,1), t(4)": garch,
    "AR(1) 0.2": autoregressive,
    "overlapping 20 bars": overlapping(20),
    "in the market 5 %": seldom,
    "volatility with jumps": jumps,
  }),
  ...shapesOf("unseen", {
    "EGARCH, skewed t(5)": leverage,
    "short gamma with a stop": shortGamma,
  }),
  ...shapesOf("not controlled", {
    "98 % wins": rareLosses(0.98),
    "99.5 % wins": rareLosses(0.995),
  }),
  mixed("9 % overlapping 30 bars", (share) => (share >= 0.91 ? 30 : 1)),
  mixed("25 % overlapping 15 bars", (share) => (share >= 0.75 ? 15 : 1)),
  mixed("50 % overlapping 15 bars", (share) => (share >= 0.5 ? 15 : 1)),
  mixed("holding 1 to 20 bars", (share) => 1 + Math.floor(20 * share)),
];

/** Shapes that only one series, sent alone, is tried on. Those of some days are for 750 bars. */
export const ALONE_SHAPES: readonly Shape[] = [
  ...shapesOf("controlled", {
    "overlapping 5 bars": overlapping(5),
    "42 days, skew -6.2": rarelyLarge(42, 1),
    "42 days, skew -1.75": rarelyLarge(42, 0.5),
    "100 days, skew -6.2": rarelyLarge(100, 1),
    "100 days, skew -1.75": rarelyLarge(100, 0.5),
  }),
  ...shapesOf("not controlled", { "good and bad phases": phases }),
];
