/**
 * Whether a server slows down as its data grows: the same kind of load on a small and a large one, in rounds.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildServer } from "../support/child-server.ts";
import { measureLoad, type MeasuredLoad } from "./measured-load.ts";
import { countText, spreadText, type Bench, target, type Target } from "./part.ts";
import { ratioSpread, spreadOf, type Spread } from "./spread.ts";

const SIDES = ["small", "large"] as const;
const SIDES_TURNED = ["large", "small"] as const;
/**
 * A server that uses less than this share of a core is idle. It is looked at every `IDLE_LOOK_MS`, at most
 * `IDLE_LOOKS` times.
 */
const IDLE_SHARE = 0.1;
const IDLE_LOOK_MS = 300;
const IDLE_LOOKS = 20;
type Side = (typeof SIDES)[number];

interface GrowthPair {
  readonly name: string;
  readonly small: { readonly server: ChildServer; readonly requestsFile: string };
  readonly large: { readonly server: ChildServer; readonly requestsFile: string };
}

interface GrowthFigures {
  readonly name: string;
  readonly small_per_second: Spread;
  readonly large_per_second: Spread;
  /** Requests a second of the large server relative to the small one; 1 means no change. */
  readonly ratio: Spread;
  readonly ratio_by_cpu: Spread;
}

export const GROWTH_COLUMNS = ["", "small/s", "large/s", "large of small", "by CPU"];

export function growthRow(figures: GrowthFigures): string[] {
  return [
    figures.name,
    countText(figures.small_per_second.median),
    countText(figures.large_per_second.median),
    spreadText(figures.ratio),
    spreadText(figures.ratio_by_cpu),
  ];
}

/** NaN if the system does not tell. */
export function residentMib(server: ChildServer): number {
  return Math.round((server.residentBytes() ?? NaN) / 2 ** 20);
}

/** Throughput may change by less than a tenth. */
export function growthTarget({ name, ratio }: GrowthFigures): Target {
  return target(`${name}: large of small`, { atLeast: 0.9 }, ratio.median);
}

/**
 * Thousands of coins have kept answers, which are made when first asked for, at a quarter of a millisecond
 * each.
 */
const WARM_UP_TIMES = 3;

/**
 * Measures one pair after the other; a pair that leaves work behind would slow the next. Round 0 warms up,
 * for longer. The two servers take turns at going first.
 */
export async function measureGrowth(
  bench: Bench,
  pairs: readonly GrowthPair[],
): Promise<GrowthFigures[]> {
  const measured = pairs.map(() => ({ small: [] as MeasuredLoad[], large: [] as MeasuredLoad[] }));
  for (const [index, pair] of pairs.entries()) {
    for (let round = 0; round <= bench.rounds; round++) {
      bench.progress(`round ${round} of ${bench.rounds}: ${pair.name}`);
      const [first, second] = round % 2 === 0 ? SIDES : SIDES_TURNED;
      const seconds = round === 0 ? WARM_UP_TIMES * bench.seconds : bench.seconds;
      const loads = { [first]: await loadOf({ ...bench, seconds }, pair, first) };
      loads[second] = await loadOf({ ...bench, seconds }, pair, second);
      for (const side of round === 0 ? [] : SIDES) measured[index]?.[side].push(loads[side]!);
    }
  }
  return pairs.map(({ name }, index) => {
    const { small, large } = measured[index]!; // as above
    const speed = (loads: readonly MeasuredLoad[]) => loads.map(({ perSecond }) => perSecond);
    const cpu = (loads: readonly MeasuredLoad[]) => loads.map(({ cpuMicros }) => cpuMicros);
    return {
      name,
      small_per_second: spreadOf(speed(small)),
      large_per_second: spreadOf(speed(large)),
      ratio: ratioSpread(speed(large), speed(small)),
      ratio_by_cpu: ratioSpread(cpu(small), cpu(large)),
    };
  });
}

async function loadOf(bench: Bench, pair: GrowthPair, side: Side): Promise<MeasuredLoad> {
  const { server, requestsFile } = pair[side];
  await untilIdle(server);
  const load = await measureLoad(server, { ...bench, requestsFile });
  if (load.broken + load.status400 > 0) throw new Error(`${pair.name}: requests failed`);
  return load;
}

/**
 * Waits until work that a load left behind, such as writing down usage, is over, so that it does not count in
 * the next; but not for ever.
 */
async function untilIdle(server: ChildServer): Promise<void> {
  for (let look = 0; look < IDLE_LOOKS; look++) {
    const before = server.cpuMs() ?? 0;
    await sleep(IDLE_LOOK_MS);
    if ((server.cpuMs() ?? 0) - before <= IDLE_SHARE * IDLE_LOOK_MS) return;
  }
}
