import { describe, expect, test } from "vitest";
import type { SquareMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import { correlationMatrix } from "../../../quant/overfitting/correlation-matrix.ts";
import { seededRandom } from "../../../quant/overfitting/seeded-random.ts";
import { trialClusters } from "../../../quant/overfitting/trial-clusters.ts";
import { numpyNormals } from "../../support/mersenne-twister.ts";
import below from "./breast-cancer-correlations.json" with { type: "json" };

interface Blocks {
  readonly seed: number;
  /** Trials in each block. */
  readonly sizes: readonly number[];
  readonly rows: number;
  /** Correlation within a block; there is none between blocks. */
  readonly within: number;
}

/**
 * From `rng = numpy.random.RandomState(seed)`: first a factor for each block, then each trial's own noise.
 */
function blockReturns({ seed, sizes, rows, within }: Blocks): Float64Array[] {
  const normal = numpyNormals(seed);
  const column = () => Float64Array.from({ length: rows }, normal);
  const factors = sizes.map(column);
  return sizes.flatMap((size, block) =>
    Array.from({ length: size }, () => {
      const own = column();
      return own.map(
        (noise, row) => Math.sqrt(within) * factors[block]![row]! + Math.sqrt(1 - within) * noise,
      );
    }),
  );
}

/** Random trials over 200 rows: two or three groups of one to four blocks of two to seven trials. */
function nestedReturns(seed: number): Float64Array[] {
  const uniform = seededRandom(77, seed);
  const normal = () => Array.from({ length: 12 }, uniform).reduce((sum, value) => sum + value) - 6;
  const column = () => Float64Array.from({ length: 200 }, normal);
  const upTo = (count: number) => Math.floor(uniform() * count);
  const groups = 2 + upTo(2);
  column(); // not used
  return Array.from({ length: groups }).flatMap(() => {
    const group = column();
    const blocks = 1 + upTo(4);
    const ofGroup = 0.3 + 0.5 * uniform();
    return Array.from({ length: blocks }).flatMap(() => {
      const block = column();
      const size = 2 + upTo(6);
      const ofBlock = (1 - ofGroup) * (0.3 + 0.6 * uniform());
      const own = 1 - ofGroup - ofBlock;
      return Array.from({ length: size }, () =>
        group.map(
          (value, row) =>
            Math.sqrt(ofGroup) * value +
            Math.sqrt(ofBlock) * block[row]! +
            Math.sqrt(own) * normal(),
        ),
      );
    });
  });
}

describe("trialClusters", () => {
  // scikit-learn 1.9's KMeans and silhouette_samples, combined as in the paper, find the same clusters: the
  // blocks.
  test.each([
    { seed: 1, sizes: [5, 5, 5], rows: 400, within: 0.6 },
    { seed: 2, sizes: [3, 8, 6, 4], rows: 500, within: 0.5 },
    { seed: 3, sizes: [10, 2, 7, 5, 6], rows: 500, within: 0.7 },
    { seed: 4, sizes: [13, 13, 13, 13], rows: 730, within: 0.8 },
    { seed: 5, sizes: [4, 4, 4, 4, 4, 4, 4, 4], rows: 500, within: 0.5 },
    { seed: 6, sizes: [20, 3], rows: 300, within: 0.4 },
    { seed: 7, sizes: [6, 6, 6, 6, 6, 6, 6], rows: 600, within: 0.35 },
  ])("finds the blocks of $sizes", (blocks) => {
    const labels = trialClusters(correlationMatrix(blockReturns(blocks)));
    expect(Array.from(labels)).toEqual(
      blocks.sizes.flatMap((size, block) => Array<number>(size).fill(block)),
    );
  });

  test("mlfinlab's own test: clusters of the 30 columns of scikit-learn's breast cancer data", () => {
    // mlfinlab's test asks for at least five clusters, with these three among them. scikit-learn, as above,
    // gives these six.
    const size = below.length;
    const values = new Float64Array(size * size);
    for (let i = 0; i < size; i++) {
      values[i * size + i] = 1;
      for (const [j, rho] of below[i]!.entries()) {
        values[i * size + j] = rho;
        values[j * size + i] = rho;
      }
    }
    const labels = trialClusters({ size, values });
    const members = (cluster: number) => [...labels.keys()].filter((k) => labels[k] === cluster);
    expect([0, 1, 2, 3, 4, 5].map(members)).toEqual([
      [0, 2, 3, 10, 12, 13, 20, 22, 23],
      [1, 21],
      [4, 8, 9, 24, 28, 29],
      [5, 6, 7, 25, 26, 27],
      [11, 14, 18],
      [15, 16, 17, 19],
    ]);
  });

  // Here the first pass sees three clusters. scikit-learn, as above, has the same three, and the same ones
  // within them.
  test.each([
    [21, "0000000001111111111111112223333333333333344"],
    [147, "00000001112222222222222223333334444444556666666"],
    [201, "00000000000001111111111111111111111112222233"],
  ])(
    "finds clusters within a cluster by looking again, in nested groups of seed %d",
    (seed, expected) => {
      const labels = trialClusters(correlationMatrix(nestedReturns(seed)));
      expect(labels.join("")).toBe(expected);
    },
  );

  test("stays with its first look where the second lowers the mean quality, as scikit-learn does", () => {
    // From 18.15 to 16.65: it would part the third of these from the second, and join it to the first.
    const labels = trialClusters(correlationMatrix(nestedReturns(157)));
    expect(labels.join("")).toBe("0000111111222223333333333");
  });

  test("sees clusters in noise: six among twelve independent trials, as scikit-learn does", () => {
    const normal = numpyNormals(9); // numpy.random.RandomState(9).normal(size=(12, 300))
    const noise = Array.from({ length: 12 }, () => Float64Array.from({ length: 300 }, normal));
    expect(new Set(trialClusters(correlationMatrix(noise))).size).toBe(6);
  });

  test("is the same each time, and follows the trials into another order", () => {
    const returns = blockReturns({ seed: 3, sizes: [4, 5, 6], rows: 300, within: 0.6 });
    const labels = trialClusters(correlationMatrix(returns));
    expect(trialClusters(correlationMatrix(returns))).toEqual(labels);
    const turned = trialClusters(correlationMatrix(returns.toReversed())).toReversed();
    for (const one of labels.keys()) {
      for (const other of labels.keys()) {
        expect(turned[one] === turned[other]).toBe(labels[one] === labels[other]);
      }
    }
  });

  test("three trials are enough: two alike and one apart", () => {
    const three: SquareMatrix = { size: 3, values: Float64Array.of(1, 0.9, 0, 0.9, 1, 0, 0, 0, 1) };
    expect(Array.from(trialClusters(three))).toEqual([0, 0, 1]);
  });

  // All silhouettes are equal: of copies they are 1, as nothing is apart within a group and everything between them.
  test.each([
    { within: 1, sizes: [2, 2] },
    { within: 1, sizes: [3, 2, 4] },
    { within: 1, sizes: [5, 5, 5, 5] },
    { within: 0.9, sizes: [2, 2] },
    { within: 0.9, sizes: [2, 2, 2, 2] },
    { within: 0.5, sizes: [4, 4, 4] },
  ])("finds groups without a difference among them: $sizes, $within within", (groups) => {
    const group = groups.sizes.flatMap((size, at) => Array<number>(size).fill(at));
    const values = group.flatMap((one, i) =>
      group.map((other, j) => (i === j ? 1 : one === other ? groups.within : 0)),
    );
    const labels = trialClusters({ size: group.length, values: Float64Array.from(values) });
    expect(Array.from(labels)).toEqual(group);
  });

  test("finds the groups of copies of different returns", () => {
    const columns = blockReturns({ seed: 1, sizes: [1, 1, 1], rows: 200, within: 0 });
    const group = [0, 1, 1, 2, 0, 2, 2];
    const labels = trialClusters(correlationMatrix(group.map((of) => columns[of]!)));
    expect(Array.from(labels)).toEqual(group);
  });

  test("has one cluster of trials that are all the same, and rejects fewer than three", () => {
    const same: SquareMatrix = { size: 5, values: new Float64Array(25).fill(1) };
    expect(Array.from(trialClusters(same))).toEqual([0, 0, 0, 0, 0]);
    const rounded = { size: 5, values: same.values.map((rho) => rho + Number.EPSILON) };
    expect(Array.from(trialClusters(rounded))).toEqual([0, 0, 0, 0, 0]);
    expect(() => trialClusters({ size: 2, values: Float64Array.of(1, 0, 0, 1) })).toThrow(
      RangeError,
    );
  });
});
