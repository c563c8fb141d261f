import { normalQuantile } from "../../quant/overfitting/normal-quantile.ts";

const WORDS = 624;
const SHIFT = 397;

/**
 * MT19937 (Matsumoto and Nishimura, ACM TOMACS 8(1), 1998), seeded and turned into normal numbers the way
 * numpy and R do it. It recreates, from its seed, a matrix that a test of another program was written for.
 */
class MersenneTwister {
  readonly #state: Uint32Array;
  #next = WORDS;

  constructor(state: Uint32Array) {
    this.#state = state;
  }

  /** The next 32 bits, tempered. */
  word(): number {
    if (this.#next === WORDS) this.#turn();
    let y = this.#state[this.#next++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  #turn(): void {
    const state = this.#state;
    for (let k = 0; k < WORDS; k++) {
      const y = (state[k]! & 0x80000000) | (state[(k + 1) % WORDS]! & 0x7fffffff);
      state[k] = state[(k + SHIFT) % WORDS]! ^ (y >>> 1) ^ ((y & 1) === 0 ? 0 : 0x9908b0df);
    }
    this.#next = 0;
  }
}

/**
 * `numpy.random.seed(seed)`, then one `numpy.random.normal()` a call: Marsaglia's polar method, of each pair
 * the second first.
 */
export function numpyNormals(seed: number): () => number {
  const state = new Uint32Array(WORDS);
  state[0] = seed;
  for (let k = 1; k < WORDS; k++) {
    const before = state[k - 1]!;
    state[k] = Math.imul(1812433253, before ^ (before >>> 30)) + k;
  }
  const twister = new MersenneTwister(state);
  const uniform = () => ((twister.word() >>> 5) * 67108864 + (twister.word() >>> 6)) / 2 ** 53;
  let kept: number | undefined;
  return () => {
    if (kept !== undefined) {
      const value = kept;
      kept = undefined;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      kept = factor * x;
      return factor * y;
    }
  };
}

/** R's `set.seed(seed)`, then one `rnorm(1)` a call: Mersenne twister and inversion, R's defaults. */
export function rNormals(seed: number): () => number {
  let scrambled = seed;
  const step = () => (scrambled = (Math.imul(69069, scrambled) + 1) >>> 0);
  for (let k = 0; k < 50; k++) step();
  step(); // where R keeps its own counter, which seeding sets to the end
  const twister = new MersenneTwister(Uint32Array.from({ length: WORDS }, step));
  const uniform = () => twister.word() * 2.3283064365386963e-10;
  const BIG = 134217728; // 2^27
  return () => {
    const high = Math.floor(BIG * uniform());
    return normalQuantile((high + uniform()) / BIG);
  };
}

/** Columns of a matrix that numpy or R fills row by row. */
export function filledByRow(rows: number, columns: number, next: () => number): Float64Array[] {
  const filled = Array.from({ length: columns }, () => new Float64Array(rows));
  for (let row = 0; row < rows; row++) for (const column of filled) column[row] = next();
  return filled;
}
