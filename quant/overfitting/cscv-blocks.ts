export type BlockSums = ReturnType<typeof sumBlocks>;

/**
 * Sums of returns and of squared returns over any set of blocks of rows, for one addition each: the blocks are
 * split into a lower and an upper half, and every subset of either half is summed in advance. Row `mask` of a
 * half holds one number per column. Only the newest `blocks * blockLength` rows are used; the oldest rows fill
 * no block.
 *
 * No sum is updated from split to split, so none drifts: a column without a trade in a set of blocks sums
 * to exactly 0, and equal columns have equal sums.
 */
export function sumBlocks(columns: readonly Float64Array[], blocks: number) {
  const rows = columns[0]!.length;
  const blockLength = Math.floor(rows / blocks);
  const lowerBlocks = blocks / 2; // the number of bits in a lower mask
  const firstRow = rows - blocks * blockLength;
  const part = { columns, blockLength, blocks: lowerBlocks };
  return {
    blockLength,
    lowerBlocks,
    lower: sumSubsets({ ...part, firstRow }),
    upper: sumSubsets({ ...part, firstRow: firstRow + lowerBlocks * blockLength }),
  };
}

/** Each subset's sum is its highest block's sum plus that of the subset without that block. */
function sumSubsets(input: {
  readonly columns: readonly Float64Array[];
  readonly blockLength: number;
  readonly blocks: number;
  readonly firstRow: number;
}) {
  const { columns, blockLength, blocks, firstRow } = input;
  const width = columns.length;
  const sums = new Float64Array(2 ** blocks * width);
  const squares = new Float64Array(2 ** blocks * width);
  for (let block = 0; block < blocks; block++) {
    const from = firstRow + block * blockLength;
    const alone = 2 ** block;
    for (let column = 0; column < width; column++) {
      const returns = columns[column]!;
      let sum = 0;
      let square = 0;
      for (let row = from; row < from + blockLength; row++) {
        sum += returns[row]!;
        square += returns[row]! * returns[row]!;
      }
      for (let rest = 0; rest < alone; rest++) {
        const target = (alone + rest) * width + column;
        sums[target] = sums[rest * width + column]! + sum;
        squares[target] = squares[rest * width + column]! + square;
      }
    }
  }
  return { sums, squares };
}

/** By number of blocks; few are ever used. */
const knownMasks = new Map<number, Int32Array>();

/**
 * Half of all ways to choose half the blocks, as bit masks: those that hold block 0. The complements are
 * the other half. 16 blocks have 6,435 masks, hence 12,870 splits (the paper and the R readme misprint
 * 12,780).
 */
export function halfMasks(blocks: number): Int32Array {
  const known = knownMasks.get(blocks);
  if (known !== undefined) return known;
  const masks: number[] = [];
  for (let mask = 1; mask < 2 ** blocks; mask += 2) {
    if (bitsOf(mask) === blocks / 2) masks.push(mask);
  }
  const found = Int32Array.from(masks);
  knownMasks.set(blocks, found);
  return found;
}

function bitsOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest > 0; rest >>>= 1) count += rest & 1;
  return count;
}
