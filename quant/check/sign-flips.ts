import { seededRandom } from "../overfitting/seeded-random.ts";
import type { FamilyTest } from "./step-down.ts";

/** Sums of consecutive blocks of that many rows; the last block may be shorter. */
export function blockSums(column: Float64Array, blockLength: number): Float64Array {
  const sums = new Float64Array(Math.ceil(column.length / blockLength));
  for (let block = 0; block < sums.length; block++) {
    const end = Math.min((block + 1) * blockLength, column.length);
    for (let row = block * blockLength; row < end; row++) sums[block]! += column[row]!;
  }
  return sums;
}

/**
 * Randomisation test by block signs: `t = sum S_k / sqrt(sum S_k^2)` over the sums of consecutive blocks. Without
 * an edge and with symmetric block sums, a block is as likely to have come with the other sign. Every block gets
 * one random sign, the same for all variants, which keeps their dependence. Canay, Romano and Shaikh,
 * "Randomization Tests under an Approximate Symmetry Assumption", Econometrica 85, 2017.
 *
 * The draws depend on the seed and the number of blocks only, so an edited cell redraws nothing.
 */
export function signFlipTest(
  columns: readonly Float64Array[],
  { blockLength, draws, seed }: { blockLength: number; draws: number; seed: number },
): FamilyTest {
  const sums = columns.map((column) => blockSums(column, blockLength));
  const norms = sums.map((blocks) => Math.sqrt(dot(blocks, blocks)));
  const blocks = sums[0]?.length ?? 0;
  const signs = randomSigns(draws * blocks, seed);
  return {
    draws,
    statistics: Float64Array.from(sums, (column, variant) =>
      norms[variant]! > 0 ? total(column) / norms[variant]! : -Infinity,
    ),
    redrawn(variant, out) {
      const column = sums[variant]!;
      const norm = norms[variant]!;
      for (let draw = 0, at = 0; draw < draws; draw++) {
        let sum = 0;
        for (let block = 0; block < blocks; block++) sum += signs[at++]! * column[block]!;
        out[draw] = norm > 0 ? sum / norm : -Infinity;
      }
    },
  };
}

/** Independent signs, 1 or -1. */
function randomSigns(count: number, seed: number): Int8Array {
  const random = seededRandom(seed, 0);
  return Int8Array.from({ length: count }, () => (random() < 0.5 ? -1 : 1));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < a.length; place++) sum += a[place]! * b[place]!;
  return sum;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < values.length; place++) sum += values[place]!;
  return sum;
}
