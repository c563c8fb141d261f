import { DAYS_PER_YEAR } from "../../quant/calendar.ts";
import { sharpeOf } from "../../quant/check/selected-variant.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { tooFewBars } from "../../quant/live/check-live.ts";
import { amongOthers, claimAfterLuck, type Claim } from "../../quant/live/claim.ts";
import { liveDependence } from "../../quant/live/dependence.ts";
import { decayBound, decayDetector } from "../../quant/live/decay.ts";
import {
  contradiction,
  holds,
  liveTrack,
  loses,
  type LiveTrack,
} from "../../quant/live/evidence.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { driftOf, seedOf, shifted, spreadOf } from "./calibration-cell.ts";
import { countsOf, type Cell, type ChunkJob, type Counts } from "./calibration-results.ts";
import { liveShapesWith, type LiveShape } from "./calibration-live-shapes.ts";

/**
 * The events that are counted. The first five are false alarms; the others are correct. Stops and decay are false on a
 * record that is live as good as its backtest truly was, and `holds` is false on one without an edge.
 */
export const LIVE_COUNTED = {
  falseStop3y: "false_stop_3y",
  falseStop10y: "false_stop_10y",
  falseHolds3y: "false_holds_3y",
  falseHolds10y: "false_holds_10y",
  decay10y: "decay_10y",
  stopped1y: "stopped_1y",
  stopped3y: "stopped_3y",
  holds1y: "holds_1y",
  holds3y: "holds_3y",
} as const;
export type LiveCounted = keyof typeof LIVE_COUNTED;

const YEARS = 10;
const YEARS_FOUND = 3;
/**
 * The days of the looks at a record: five a year for three years, then one a year. Each look covers all days so far,
 * with their dependence as measured by then.
 */
const LOOKS = [
  ...Array.from({ length: 5 * YEARS_FOUND }, (_, look) => (look + 1) / 5),
  ...Array.from({ length: YEARS - YEARS_FOUND }, (_, year) => year + 1 + YEARS_FOUND),
].map((years) => Math.round(years * DAYS_PER_YEAR));
const DECAY_DAYS = 10;
const LIVE_DAYS = YEARS * DAYS_PER_YEAR;

/** Counts the events on some records of a cell. Each record has its own random stream. */
export function runChunk(job: ChunkJob): Counts<LiveCounted> {
  const { cell, prices } = job;
  const shape = liveShapesWith(prices).find(({ name }) => name === cell.shape)!; // cells are made from the shapes
  const seed = seedOf(JSON.stringify({ ...cell, seed: job.seed, live: true }));
  return countsOf(Object.keys(LIVE_COUNTED) as LiveCounted[], job, (record) => {
    const drawn = drawnRecord(shape, cell, seededRandom(seed, record));
    return drawn === undefined ? [] : countedIn(drawn);
  });
}

interface DrawnRecord {
  readonly claim: Claim;
  /** Live days as good as the backtest truly was, and live days without an edge. */
  readonly good: Float64Array;
  readonly none: Float64Array;
}

/** Undefined where the verdict is withheld. */
function drawnRecord(shape: LiveShape, cell: Cell, random: () => number): DrawnRecord | undefined {
  const { variants, bars, edge } = cell;
  const { goesOn = false, sizeAt = () => 1 } = shape;
  const drawn = shape.draw({ variants, bars: goesOn ? bars + LIVE_DAYS : bars }, random).columns;
  const moving = drawn.filter((column) => column.subarray(0, bars).some((value) => value !== 0));
  if (moving.length === 0) return undefined;
  // Of the shape, or of the variant itself where each is of a market of its own.
  const drifts = moving.map((column) => driftOf(goesOn ? spreadOf(column) : longDraw(shape), edge));
  const columns = moving.map((column, index) => shifted(column.subarray(0, bars), drifts[index]!));
  const index = best(columns);
  const live = () => shape.draw({ variants: 1, bars: LIVE_DAYS }, random).columns[0]!;
  const after = (drift: number) => {
    const days = goesOn ? moving[index]!.subarray(bars) : live();
    return shifted(days, drift).map((value, day) => sizeAt(day) * value);
  };
  const inference = inferSharpe(columns[index]!);
  if (tooFewBars(inference) !== null) return undefined;
  const claimed = {
    inference: amongOthers(inference, columns),
    columns,
    index,
    periodsPerYear: DAYS_PER_YEAR,
  };
  const claim = claimAfterLuck(claimed, columns.length);
  return { claim, good: after(drifts[index]!), none: after(0) };
}

function best(columns: readonly Float64Array[]): number {
  const sharpes = columns.map(sharpeOf);
  return sharpes.indexOf(Math.max(...sharpes));
}

const LONG = 200_000;
const dailyOf = new Map<string, ReturnType<typeof spreadOf>>();

/** The spread of a shape, measured on a long draw. */
function longDraw(shape: LiveShape) {
  const known = dailyOf.get(shape.name);
  if (known !== undefined) return known;
  const drawn = shape.draw({ variants: 1, bars: LONG }, seededRandom(seedOf(shape.name), 0));
  const found = spreadOf(drawn.columns[0]!);
  dailyOf.set(shape.name, found);
  return found;
}

/** The day of the look that first reaches a verdict; Infinity if none does. */
interface Reached {
  readonly stop: number;
  readonly holds: number;
}

function countedIn({ claim, good, none }: DrawnRecord): readonly LiveCounted[] {
  const ofGood = lookedAt(good, claim, { stopYears: YEARS, holdsYears: YEARS_FOUND });
  const ofNone = lookedAt(none, claim, { stopYears: YEARS_FOUND, holdsYears: YEARS });
  const within = (days: number, years: number) => days <= years * DAYS_PER_YEAR;
  const counted: Record<LiveCounted, boolean> = {
    falseStop3y: within(ofGood.stop, 3),
    falseStop10y: within(ofGood.stop, YEARS),
    falseHolds3y: within(ofNone.holds, 3),
    falseHolds10y: within(ofNone.holds, YEARS),
    decay10y: decays(good, claim),
    stopped1y: within(ofNone.stop, 1),
    stopped3y: within(ofNone.stop, 3),
    holds1y: within(ofGood.holds, 1),
    holds3y: within(ofGood.holds, 3),
  };
  return (Object.keys(counted) as LiveCounted[]).filter((name) => counted[name]);
}

function lookedAt(
  live: Float64Array,
  claim: Claim,
  until: { readonly stopYears: number; readonly holdsYears: number },
): Reached {
  const track = liveTrack(live, { periodsPerYear: DAYS_PER_YEAR });
  const found = { stop: Infinity, holds: Infinity };
  for (const days of LOOKS) {
    const dependence = liveDependence(claim, live.subarray(0, days));
    const weights = { claim: claim.afterLuck, error: claim.error, dependence };
    const sofar = firstDays(track, days);
    if (found.stop === Infinity && days <= until.stopYears * DAYS_PER_YEAR) {
      const stops = [contradiction(sofar, weights), loses(sofar, dependence)];
      if (stops.some(({ reachedAt }) => reachedAt >= 0)) found.stop = days;
    }
    const isLooked = found.holds === Infinity && days <= until.holdsYears * DAYS_PER_YEAR;
    if (isLooked && holds(sofar, dependence).reachedAt >= 0) found.holds = days;
  }
  return found;
}

function firstDays({ sharpe, deviation, active, losing, periodsPerYear }: LiveTrack, days: number) {
  return {
    sharpe: sharpe.subarray(0, days),
    deviation: deviation.subarray(0, days),
    active: active.subarray(0, days),
    losing: losing.subarray(0, days),
    periodsPerYear,
  };
}

/** Whether decay is reached within the record, looking at every tenth day. */
function decays(live: Float64Array, claim: Claim): boolean {
  if (!(claim.afterLuck > 0)) return false;
  const track = liveTrack(live, { periodsPerYear: DAYS_PER_YEAR });
  const dependence = liveDependence(claim, live);
  const weights = { claim: claim.afterLuck, error: claim.error, dependence };
  const stretchesTo = decayDetector(live, track, weights);
  for (let day = 19; day < live.length; day += DECAY_DAYS) {
    if (track.active[day]! < 20) continue;
    if (stretchesTo(day).total >= decayBound(day, DAYS_PER_YEAR)) return true;
  }
  return false;
}
