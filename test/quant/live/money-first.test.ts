import { describe, expect, test } from "vitest";
import { checkLive } from "../../../quant/live/check-live.ts";
import { liveWords } from "../../../quant/live/live-verdict.ts";
import { A, L1, P, series } from "./series.ts";

const FIRST = 18_993;
const daysFrom = (first: number, length: number) =>
  Array.from({ length }, (_, place) => first + place);

function checked(columns: readonly Float64Array[], live: Float64Array, nTrials?: number) {
  const bars = columns[0]!.length;
  const usual = { periodsPerYear: 365, realisedOnly: false };
  return checkLive({
    columns,
    index: 0,
    nTrials,
    backtest: { ...usual, day: daysFrom(FIRST, bars), returns: columns[0]! },
    live: { ...usual, day: daysFrom(FIRST + bars, live.length), returns: live },
  });
}

/** Φ by summing the density, which is not how the product computes it. */
function normalShare(z: number): number {
  const step = 1e-3;
  let sum = 0;
  for (let at = -12; at < z; at += step) sum += Math.exp(-((at + step / 2) ** 2) / 2);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}

const BACKTESTS = [
  [[A], 1],
  [[A], 13],
  [[A], 200],
  [[A], undefined],
  [[A], 1_000_000],
  [P, 5],
  [P, 40],
  [[A.slice(0, 180)], 5],
] as const;
/** Records that lose, from a month to a year and a half, by drifts from none to ruin. */
const RECORDS = Array.from({ length: 80 }, (_, seed) => {
  const drift = [-0.0003, -0.001, -0.002, -0.0035][seed % 4]!;
  const live = series(1_000 + seed, 25 + ((seed * 37) % 500), drift, 0.015 + 0.004 * (seed % 7));
  return { seed, live, of: BACKTESTS[seed % BACKTESTS.length]! };
}).filter(({ live }) => live.reduce((log, value) => log + Math.log1p(value), 0) < 0);

const ORDERS = /keep|go on\b|carry on|continue|stay|do nothing|nothing to do|hold on|patien/i;

describe("a record that lost money", () => {
  const figures = RECORDS.map(({ seed, of: [columns, tries], live }) => {
    return { seed, live, figures: checked(columns, live, tries) };
  });

  test("is one of at least thirty, and of many verdicts, but never holds", () => {
    expect(RECORDS.length).toBeGreaterThanOrEqual(30);
    const values = figures.map((each) => each.figures.verdict.value);
    const some = ["stop_loses", "stop_contradicted", "below", "open", "no_claim"];
    expect(values).toEqual(expect.arrayContaining(some));
    expect(values).not.toContain("holds");
  });

  test.each(figures)("is told so first, and not to go on: $seed", ({ live, figures: found }) => {
    const { verdict, account, claim, dependence, stop, howLong } = found;
    const { sentence } = verdict;
    const balance = Math.exp(live.reduce((log, value) => log + Math.log1p(value), 0));
    expect(account.growth).toBeCloseTo(balance, 9);
    const [, lost, days, left] = /^It lost ([\d.]+) % in (\d+) days \(10,000 -> ([\d,]+)\)\. /.exec(
      sentence,
    )!;
    expect(Math.abs(Number(lost) - 100 * (1 - balance))).toBeLessThanOrEqual(0.5);
    expect(Number(days)).toBe(live.length);
    expect(Number(left!.replace(",", ""))).toBe(Math.round(10_000 * balance));
    expect(sentence).not.toMatch(ORDERS);
    const isReached = claim.afterLuck > 0 ? stop.contradiction.evidence >= 20 : undefined;
    const { stopGrowth } = account;
    const isLow = Number.isNaN(stopGrowth) ? undefined : balance <= stopGrowth * (1 + 1e-9);
    expect(isLow, "the stop is a balance").toBe(isReached);

    if (verdict.value !== "below" && verdict.value !== "open") return;
    const mean = live.reduce((sum, value) => sum + value, 0) / live.length;
    const squares = live.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const sharpe = (mean / Math.sqrt(squares / (live.length - 1))) * Math.sqrt(365);
    const error = Math.hypot(claim.error, Math.sqrt((dependence * 365) / live.length));
    const share = normalShare((sharpe - claim.afterLuck) / error);
    const isBelow = share < 0.05 || stop.contradiction.evidence > 5;
    expect(verdict.value).toBe(isBelow ? "below" : "open");
    if (sentence.includes("How many variants did you try? Up to")) return;
    const [, some, of] = /, (\d+) in ([\d,]+) (?:is|are) that low on a day named/.exec(sentence)!;
    const said = Number(some) / Number(of!.replaceAll(",", ""));
    expect(Math.abs(said - share)).toBeLessThan(share < 0.015 ? share / 2 : 0.00501);
    for (const [found, words] of [
      [howLong.stop!.none.share1y, "in a year"],
      [howLong.stop!.none.share3y, "in three"],
    ] as const) {
      const [, count] = new RegExp(`(\\d+) of 100 ${words}`).exec(sentence)!;
      expect(Math.abs(Number(count) - 100 * found)).toBeLessThanOrEqual(1);
    }
  });

  test("holds no more, once it is below its start", () => {
    const held = checked(P, L1);
    const valueAt = (growth: number) =>
      liveWords({ ...held, account: { growth } }, { withheldReason: null, isDecayed: false }).value;
    expect([valueAt(1), valueAt(0.999)]).toEqual(["holds", "open"]);
  });
});

test("the line is said to find as many as simulated records without an edge reach it", () => {
  const { claim, dependence, howLong } = checked([A], series(31, 200, 0.001, 0.02), 13);
  let state = 7;
  const uniform = () => (state = (48_271 * state) % 2_147_483_647) / 2_147_483_647;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const rivals = [0, -1, -2];
  const paths = 1_500;
  let reached = 0;
  for (let path = 0; path < paths; path++) {
    let sum = 0;
    for (let day = 1; day <= 3 * 365; day++) {
      sum += normal() * Math.sqrt(dependence); // days that count as one
      if (day < 20) continue;
      const spread = claim.error ** 2 + (dependence * 365) / day;
      const sharpe = (sum / day) * Math.sqrt(365);
      const ratio = rivals.reduce((total, rival) => {
        const log = ((claim.afterLuck - rival) * ((claim.afterLuck + rival) / 2 - sharpe)) / spread;
        return total + Math.exp(log) / 3;
      }, 0);
      if (ratio < 20) continue;
      reached++;
      break;
    }
  }
  expect(Math.abs(reached / paths - howLong.stop!.none.share3y)).toBeLessThan(0.05);
});
