/** A way in which returns without an edge may come about, which a test has to bear. */
export interface Shape {
  readonly name: string;
  /** Whether the verdict has to hold its bound on it; no test can on every shape (Bahadur and Savage 1956). */
  readonly controlled: boolean;
  /** Returns of one variant with mean 0. */
  readonly draw: (bars: number, random: () => number) => Float64Array;
}

const DEVIATION = 0.02;

/** A standard normal number, by Box and Muller. */
export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Student's t with 4 degrees of freedom, scaled to variance 1. */
function student4(random: () => number): number {
  let squares = 0;
  for (let term = 0; term < 4; term++) squares += normal(random) ** 2;
  return normal(random) / Math.sqrt(squares / 4) / Math.SQRT2;
}

function independent(next: (random: () => number) => number): Shape["draw"] {
  return (bars, random) => Float64Array.from({ length: bars }, () => DEVIATION * next(random));
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
  return Float64Array.from({ length: bars }, step);
}

function autoregressive(bars: number, random: () => number): Float64Array {
  let last = normal(random);
  return Float64Array.from({ length: bars }, () => {
    last = 0.2 * last + Math.sqrt(1 - 0.04) * normal(random);
    return DEVIATION * last;
  });
}

/** Positions that overlap for 20 bars: each return is shared among the 20 bars after its entry. */
function overlapping(bars: number, random: () => number): Float64Array {
  const shocks = Float64Array.from({ length: bars + 20 }, () => normal(random));
  return Float64Array.from({ length: bars }, (_, row) => {
    let sum = 0;
    for (let back = 0; back < 20; back++) sum += shocks[row + back]!;
    return (DEVIATION * sum) / Math.sqrt(20);
  });
}

/** A rule that is in the market for some 5 % of the bars, in stays of 5 on average. */
function seldom(bars: number, random: () => number): Float64Array {
  let held = random() < 0.05;
  return Float64Array.from({ length: bars }, () => {
    held = held ? random() >= 0.2 : random() < 0.2 / 19;
    return held ? DEVIATION * normal(random) : 0;
  });
}

/** Stochastic volatility in logarithms, 0.95, with a jump on one bar in a hundred. */
function jumps(bars: number, random: () => number): Float64Array {
  let level = 0;
  return Float64Array.from({ length: bars }, () => {
    level = 0.95 * level + 0.2 * normal(random);
    const jump = random() < 0.01 ? 4 * normal(random) : 0;
    return DEVIATION * (Math.exp(level / 2) * normal(random) + jump);
  });
}

/** Wins nearly always and loses it all, rarely. */
function rareLosses(share: number): Shape["draw"] {
  const loss = share / (1 - share);
  return (bars, random) =>
    Float64Array.from({ length: bars }, () => {
      const size = 0.001 * (1 + 0.2 * normal(random));
      return random() < share ? size : -loss * size;
    });
}

export const SHAPES: readonly Shape[] = [
  { name: "normal", controlled: true, draw: independent(normal) },
  { name: "t(4)", controlled: true, draw: independent(student4) },
  { name: "GARCH(1,1), t(4)", controlled: true, draw: garch },
  { name: "AR(1) 0.2", controlled: true, draw: autoregressive },
  { name: "overlapping 20 bars", controlled: true, draw: overlapping },
  { name: "in the market 5 %", controlled: true, draw: seldom },
  { name: "volatility with jumps", controlled: true, draw: jumps },
  { name: "98 % wins", controlled: false, draw: rareLosses(0.98) },
  { name: "99.5 % wins", controlled: false, draw: rareLosses(0.995) },
];
