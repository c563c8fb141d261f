import { seededRandom } from "../overfitting/seeded-random.ts";
import { lagSum } from "./long-run-variance.ts";
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
 * The randomisation test by block signs: `t = sum S_k / sqrt(sum S_k^2)` over the sums of consecutive blocks. Without
 * an edge and with symmetric block sums, a block is as likely to have come with the other sign. Every block gets
 * one random sign, the same for all variants, which keeps their dependence. Canay, Romano and Shaikh,
 * "Randomization Tests under an Approximate Symmetry Assumption", Econometrica 85, 2017.
 *
 * The draws depend on the seed and the number of blocks only, so an edited cell redraws nothing. Eight blocks are
 * summed once under each of their 256 patterns of signs, and then cost one addition a draw ("Four Russians":
 * Arlazarov, Dinic, Kronrod and Faradzev 1970).
 */
export function signFlipTest(
  columns: readonly Float64Array[],
  { blockLength, draws, seed }: { blockLength: number; draws: number; seed: number },
): FamilyTest {
  const sums = columns.map((column) => blockSums(column, blockLength));
  const norms = sums.map((blocks) => Math.sqrt(lagSum(blocks, 0)));
  const blocks = sums[0]?.length ?? 0;
  const patterns = signPatterns(draws, blocks, seed);
  const sumOf = new Float64Array(256);
  return {
    draws,
    statistics: Float64Array.from(sums, (column, variant) =>
      norms[variant]! > 0 ? total(column) / norms[variant]! : -Infinity,
    ),
    redrawn(variant, out) {
      const column = sums[variant]!;
      const norm = norms[variant]!;
      if (!(norm > 0)) {
        out.fill(-Infinity);
        return;
      }
      out.fill(0);
      for (let from = 0, at = 0; from < blocks; from += 8) {
        sumPatterns(column.subarray(from, from + 8), norm, sumOf);
        for (let draw = 0; draw < draws; draw++) out[draw]! += sumOf[patterns[at++]!]!;
      }
    },
  };
}

/** Independent random signs: for every eight blocks a byte per draw, in which a bit is set where the sign is 1. */
function signPatterns(draws: number, blocks: number, seed: number): Uint8Array {
  const random = seededRandom(seed, 0);
  const patterns = new Uint8Array(draws * Math.ceil(blocks / 8));
  for (let draw = 0; draw < draws; draw++) {
    for (let block = 0; block < blocks; block++) {
      if (random() >= 0.5) patterns[(block >> 3) * draws + draw]! |= 1 << (block & 7);
    }
  }
  return patterns;
}

/** Writes the sum of at most eight values, over `norm`, under each pattern of signs. */
function sumPatterns(values: Float64Array, norm: number, out: Float64Array): void {
  out[0] = -total(values) / norm;
  for (let index = 0, count = 1; index < 8; index++, count *= 2) {
    const turned = (2 * (values[index] ?? 0)) / norm;
    for (let pattern = 0; pattern < count; pattern++) out[count + pattern] = out[pattern]! + turned;
  }
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index++) sum += values[index]!;
  return sum;
}
