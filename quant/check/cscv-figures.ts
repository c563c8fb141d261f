import { cscv } from "../overfitting/cscv.ts";

const VARIANTS_MIN = 5;
const BLOCK_CHOICES = [16, 14, 12, 10, 8];
/** Fewer bars in a block make its Sharpe ratio noise. */
const BLOCK_BARS_MIN = 20;
const BINS_MAX = 41;

/**
 * The number of blocks that CSCV cuts the bars into, or the reason for having none: 16, or fewer where a block would
 * have under 20 bars. A block has to be twice as long as the bars are dependent, or neighbouring halves would share
 * information.
 */
export function cscvBlocks(
  { variants, bars }: { readonly variants: number; readonly bars: number },
  dependentBars: number,
): number | string {
  if (variants < VARIANTS_MIN) {
    return `PBO needs ${VARIANTS_MIN} variants that move, there are ${variants}`;
  }
  const blocks = BLOCK_CHOICES.find((count) => bars / count >= BLOCK_BARS_MIN);
  if (blocks === undefined) return `PBO needs 160 bars, there are ${bars}`;
  const blockBars = Math.floor(bars / blocks);
  if (blockBars >= 2 * dependentBars) return blocks;
  return (
    `returns depend on one another for too long: a block of ${blockBars} bars should be twice as long as ` +
    `that${Number.isNaN(dependentBars) ? "" : `, at least ${2 * dependentBars} bars`}`
  );
}

/** CSCV on all variants, or the reason for having none. */
export function cscvFigures(columns: readonly Float64Array[], dependentBars: number) {
  const size = { variants: columns.length, bars: columns[0]?.length ?? 0 };
  const blocks = cscvBlocks(size, dependentBars);
  if (typeof blocks === "string") return { cscv: null, reason: blocks };
  const { rows, pbo, probabilityOfLoss, degradation, dominance, logits } = cscv(columns, blocks);
  return {
    reason: null,
    cscv: {
      blocks,
      rowsUsed: rows,
      pbo,
      probabilityOfLoss,
      degradation,
      firstOrderDominance: dominance.firstOrder,
      secondOrderDominance: dominance.secondOrder,
      logits: histogram(logits, columns.length),
    },
  };
}

/**
 * The logits in bins of equal width, symmetric about 0 with one bin in the middle, and no more bins than there are
 * ranks. The outermost logits are those of the first and the last rank.
 */
export function histogram(logits: Float64Array, variants: number) {
  const bins = Math.min(BINS_MAX, variants % 2 === 0 ? variants + 1 : variants);
  const end = Math.log(variants);
  const width = (2 * end) / bins;
  const counts = Array<number>(bins).fill(0);
  for (const logit of logits) {
    const bin = Math.floor((logit + end) / width + 1e-9);
    counts[Math.max(0, Math.min(bins - 1, bin))]!++;
  }
  return { edges: Array.from({ length: bins + 1 }, (_, edge) => edge * width - end), counts };
}
