/** CSCV as described in the paper, split by split, sharing nothing: a second opinion for the tests. */

export interface NaiveCscv {
  readonly splits: number;
  readonly pbo: number;
  readonly pboTiesInFull: number;
  readonly probabilityOfLoss: number;
  readonly inSample: readonly number[];
  readonly outOfSample: readonly number[];
  /** Those of all columns, split after split. */
  readonly all: readonly number[];
}

function combinations(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let first = from; first <= count - size; first++) {
    for (const rest of combinations(count, size - 1, first + 1)) found.push([first, ...rest]);
  }
  return found;
}

/** Per-bar Sharpe rounded to 12 digits, so that equal ones tie; minus infinity where returns do not vary. */
function sharpeOf(returns: readonly number[]): number {
  if (returns.every((value) => value === returns[0])) return -Infinity;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Number((mean / Math.sqrt(squares / (returns.length - 1))).toPrecision(12));
}

/** Average rank, 1 for the lowest. */
function rankOf(values: readonly number[], position: number): number {
  const value = values[position]!;
  const lower = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return lower + (equal + 1) / 2;
}

export function naiveCscv(columns: readonly Float64Array[], blocks: number): NaiveCscv {
  const length = Math.floor(columns[0]!.length / blocks);
  const used = columns
    .map((column) => Array.from(column.slice(column.length - length * blocks)))
    .filter((column) => column.some((value) => value !== column[0]));
  const sharpes = (half: readonly number[]) =>
    used.map((column) =>
      sharpeOf(half.flatMap((block) => column.slice(block * length, (block + 1) * length))),
    );
  const logits: number[] = [];
  const inSample: number[] = [];
  const outOfSample: number[] = [];
  const all: number[] = [];
  for (const half of combinations(blocks, blocks / 2)) {
    const other = Array.from({ length: blocks }, (_, block) => block).filter(
      (block) => !half.includes(block),
    );
    const [mine, theirs] = [sharpes(half), sharpes(other)];
    const pick = mine.indexOf(Math.max(...mine));
    if (mine[pick] === -Infinity) continue;
    const share = rankOf(theirs, pick) / (used.length + 1);
    logits.push(theirs[pick] === -Infinity ? -Infinity : Math.log(share / (1 - share)));
    inSample.push(mine[pick]!);
    outOfSample.push(theirs[pick]!);
    all.push(...theirs);
  }
  const splits = logits.length;
  const below = logits.filter((logit) => logit < -1e-9).length;
  const onMiddle = logits.filter((logit) => Math.abs(logit) <= 1e-9).length;
  const losses = outOfSample.filter((sharpe) => sharpe < 0 && sharpe !== -Infinity).length;
  return {
    splits,
    pbo: (below + onMiddle / 2) / splits,
    pboTiesInFull: (below + onMiddle) / splits,
    probabilityOfLoss: losses / splits,
    inSample,
    outOfSample,
    all,
  };
}

/**
 * The same for whole-number returns, in exact arithmetic: Sharpe ratios are ordered by sum |sum| / squares,
 * compared through products of integers. No column may be flat in a half.
 */
export function integerCscv(columns: readonly Float64Array[], blocks: number) {
  const length = columns[0]!.length / blocks;
  const measures = (half: readonly number[]) =>
    columns.map((column) => {
      const rows = Array.from(column).filter((_, row) => half.includes(Math.floor(row / length)));
      const sum = rows.reduce((total, value) => total + value, 0);
      const squares = rows.reduce((total, value) => total + value * value, 0);
      return { signed: sum * Math.abs(sum), squares };
    });
  type Measure = ReturnType<typeof measures>[number];
  const lead = (one: Measure, other: Measure) =>
    Math.sign(one.signed * other.squares - other.signed * one.squares);
  const halves = combinations(blocks, blocks / 2);
  const leads = halves.map((half) => {
    const mine = measures(half);
    const best = mine.reduce((first, each) => (lead(each, first) > 0 ? each : first));
    const all = Array.from({ length: blocks }, (_, block) => block);
    const theirs = measures(all.filter((block) => !half.includes(block)));
    const picked = theirs[mine.indexOf(best)]!;
    return theirs.reduce((sum, each) => sum + lead(picked, each), 0);
  });
  return {
    splits: halves.length,
    overfit: leads.filter((sum) => sum < 0).length,
    ties: leads.filter((sum) => sum === 0).length,
  };
}
