/**
 * Sums of returns and of squared returns over any set of blocks, for one addition each. The blocks are
 * split into a lower and an upper half, and every subset of either half is summed in advance.
 *
 * No sum is updated from split to split, so none drifts: a column without a trade in a set of blocks sums
 * to exactly 0, and equal columns have equal sums.
 */
export interface BlockSums {
  readonly columns: number;
  /** Returns in a block. */
  readonly blockLength: number;
  /** Blocks in the lower half, which is the number of bits in a lower mask. */
  readonly lowerBlocks: number;
  readonly lower: SubsetSums;
  readonly upper: SubsetSums;
}

/** Row `mask` holds one number per column. */
interface SubsetSums {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/**
 * Sums the newest `blocks * blockLength` rows of the columns; the oldest rows, which fill no block, are
 * left out.
 */
export function sumBlocks(columns: readonly Float64Array[], blocks: number): BlockSums {
  const rows = columns[0]!.length;
  const blockLength = Math.floor(rows / blocks);
  const lowerBlocks = blocks / 2;
  const firstRow = rows - blocks * blockLength;
  const part = { columns, blockLength, blocks: lowerBlocks };
  return {
    columns: columns.length,
    blockLength,
    lowerBlocks,
    lower: sumSubsets({ ...part, firstRow }),
    upper: sumSubsets({ ...part, firstRow: firstRow + lowerBlocks * blockLength }),
  };
}

interface Part {
  readonly columns: readonly Float64Array[];
  readonly blockLength: number;
  readonly blocks: number;
  readonly firstRow: number;
}

/** Each subset's sum is its highest block's sum plus that of the subset without that block. */
function sumSubsets({ columns, blockLength, blocks, firstRow }: Part): SubsetSums {
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

/**
 * Half of all ways to choose half the blocks, as bit masks: those that hold block 0. The complements are
 * the other half. 16 blocks have 6,435 masks, hence 12,870 splits (the paper and the R readme misprint
 * 12,780).
 */
export function halfMasks(blocks: number): Int32Array {
  let masks = knownMasks.get(blocks);
  if (masks === undefined) {
    masks = computeMasks(blocks);
    knownMasks.set(blocks, masks);
  }
  return masks;
}

/** By number of blocks; few are ever used. */
const knownMasks = new Map<number, Int32Array>();

function computeMasks(blocks: number): Int32Array {
  const masks: number[] = [];
  const limit = 1 << (blocks - 1);
  let others = (1 << (blocks / 2 - 1)) - 1; // the half's other blocks, without the bit of block 0
  while (others < limit) {
    masks.push((others << 1) | 1);
    if (others === 0) break; // with two blocks, the half is block 0 alone
    // Gosper's hack (HAKMEM 175): the next larger number with the same number of set bits.
    const lowest = others & -others;
    const carried = others + lowest;
    others = carried | (((others ^ carried) / lowest) >>> 2);
  }
  return Int32Array.from(masks);
}
