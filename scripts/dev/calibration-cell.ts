import { DAYS_PER_YEAR } from "../../quant/calendar.ts";
import { familyBlocks } from "../../quant/check/block-length.ts";
import { adjustedClaims, publishedClaims } from "../../quant/check/claims.ts";
import { cscvBlocks } from "../../quant/check/cscv-figures.ts";
import { distinctColumns } from "../../quant/check/distinct-columns.ts";
import { familyOf } from "../../quant/check/family-figures.ts";
import { judge } from "../../quant/check/judge.ts";
import { sharpeOf } from "../../quant/check/selected-variant.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { pboOfRanges } from "../../quant/overfitting/pbo-of-ranges.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { coinShapes } from "./calibration-coins.ts";
import { countsOf, type ChunkJob, type Counts } from "./calibration-results.ts";
import { ALONE_SHAPES, SHAPES, type MadePanel, type Shape } from "./calibration-shapes.ts";

/** What is counted on a panel, and the names of its columns in the CSV. */
export const COUNTED = {
  psr: "psr",
  publishedDsr: "dsr",
  adjustedDsr: "adjusted_dsr",
  stepDown: "step_down",
  hansen: "spa",
  pbo: "pbo",
  verdict: "skill",
  luck: "luck",
  withheld: "withheld",
  asOne: "as_one",
} as const;
export type Counted = keyof typeof COUNTED;

/** Draws of the family tests and of Hansen's. p-values are exact at any number, so fewer draws cost power only. */
const RESAMPLES = 500;
const CONFIDENCE = 0.95;
const LEVEL = 0.05;
const SOURCE = { format: "made", tool: "calibration", kind: "returns" } as const;

/** A seed from a text (FNV-1a), so that a cell keeps its seed when others are added. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const coinShapesOf = new Map<string, readonly Shape[]>();

/** All shapes, with those of real coins if there are prices. */
export function shapesWith(prices: string | undefined): readonly Shape[] {
  const made = [...SHAPES, ...ALONE_SHAPES];
  if (prices === undefined) return made;
  if (!coinShapesOf.has(prices)) coinShapesOf.set(prices, coinShapes(prices));
  return [...made, ...coinShapesOf.get(prices)!];
}

/**
 * Counts the calls on some panels of a cell. Each panel has its own random stream, which cells that differ only in
 * their edge, and in whether the best is sent alone, share.
 */
export function runChunk(job: ChunkJob): Counts<Counted> {
  const { edge, alone, ...drawn } = job.cell;
  const shape = shapesWith(job.prices).find(({ name }) => name === drawn.shape)!; // cells are made from the shapes
  const seed = seedOf(JSON.stringify({ ...drawn, seed: job.seed }));
  return countsOf(Object.keys(COUNTED) as Counted[], job, (panel) => {
    const made = shape.draw(job.cell, seededRandom(seed, panel));
    const [first, ...others] = made.columns;
    const better = shifted(first!, driftOf(spreadOf(first!), edge));
    return calledIn({ ...made, columns: [better, ...others] }, alone);
  });
}

/**
 * What calls skill on a panel: on the family of its variants, or on the best of them sent alone with their number, or
 * (`asOne`) as the only one. The functions are those of `checkPanel`, without its other figures.
 */
export function calledIn(made: MadePanel, alone = false): readonly Counted[] {
  const { columns } = distinctColumns([], made.columns);
  if (columns.length === 0) return ["withheld"];
  const coin = made.coin === undefined ? undefined : { name: "coin", returns: made.coin };
  const options = { source: SOURCE, coin, resamples: RESAMPLES };
  const sharpes = columns.map(sharpeOf);
  const index = sharpes.indexOf(Math.max(...sharpes));
  const inference = inferSharpe(columns[index]!);
  const sent = alone ? { index: 0, columns: [columns[index]!] } : { index, columns };
  const blocks = familyBlocks(sent.columns, sent.index);
  const family = alone ? undefined : familyOf(columns, blocks, options).result;
  const verdictAt = (nTrials: number) =>
    judge({ options: { ...options, nTrials }, inference, family, ...sent }).verdict;
  const verdict = verdictAt(made.columns.length);
  const trials = { count: alone ? made.columns.length : columns.length, variance: NaN };
  const pFamily = Math.max(family?.cash[index] ?? 1, family?.coin?.[index] ?? 0);
  const called: Record<Counted, boolean> = {
    psr: publishedClaims(inference, trials).psr >= CONFIDENCE,
    publishedDsr: publishedClaims(inference, trials).dsr >= CONFIDENCE,
    adjustedDsr: adjustedClaims(inference, trials).dsr >= CONFIDENCE,
    stepDown: pFamily <= LEVEL,
    hansen: (family?.comparison.hansen ?? 1) <= LEVEL,
    pbo: pboOf(sent.columns, blocks.length) < LEVEL,
    verdict: verdict.value === "skill",
    luck: verdict.value === "luck",
    withheld: verdict.withheldReason !== null,
    asOne: alone && verdictAt(1).value === "skill",
  };
  return (Object.keys(called) as Counted[]).filter((name) => called[name]);
}

function pboOf(columns: readonly Float64Array[], blockLength: number): number {
  const blocks = cscvBlocks({ variants: columns.length, bars: columns[0]!.length }, blockLength);
  if (typeof blocks === "string") return NaN;
  return pboOfRanges(columns, blocks, [{ from: 0, to: columns.length }])[0]!;
}

/** The deviation of returns of mean 0, and the share of bars that have one. */
export function spreadOf(column: Float64Array) {
  let [squares, active] = [0, 0];
  for (const value of column) {
    squares += value * value;
    if (value !== 0) active++;
  }
  return { deviation: Math.sqrt(squares / column.length), active: active / column.length };
}

/** The drift on a bar with a return that gives such a series this true Sharpe ratio a year. */
export function driftOf({ deviation, active }: ReturnType<typeof spreadOf>, edge: number): number {
  return active === 0 ? 0 : ((edge / Math.sqrt(DAYS_PER_YEAR)) * deviation) / active;
}

/** The column with the drift added on bars that have a return. */
export function shifted(column: Float64Array, drift: number): Float64Array {
  return drift === 0 ? column : column.map((value) => (value === 0 ? 0 : value + drift));
}
