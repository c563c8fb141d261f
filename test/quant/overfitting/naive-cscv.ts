import { combinations, mean, sampleStandardDeviation } from "simple-statistics";

/** Per-bar Sharpe rounded to 12 digits, so that equal ones tie; minus infinity where returns do not vary. */
function sharpeOf(returns: readonly number[]): number {
  if (returns.every((value) => value === returns[0])) return -Infinity;
  return Number((mean(returns) / sampleStandardDeviation(returns)).toPrecision(12));
}

/** Average rank, 1 for the lowest. */
function rankOf(values: readonly number[], position: number): number {
  const value = values[position]!;
  const lower = values.filter((other) => other < value).length;
  const equal = values.filter((other) => other === value).length;
  return lower + (equal + 1) / 2;
}

/** CSCV as described in the paper, split by split, sharing nothing: a second opinion for the tests. */
export function naiveCscv(columns: readonly Float64Array[], blocks: number) {
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
  const all: number[] = []; // of all columns, split after split
  const every = Array.from({ length: blocks }, (_, block) => block);
  for (const half of combinations(every, blocks / 2)) {
    const other = every.filter((block) => !half.includes(block));
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
