import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LiveErrorRates } from "../../quant/live/live-report.ts";
import { median } from "../../quant/sample-statistics.ts";
import { cellsCsv, markdown, writeBelow, writeRows } from "./calibration-files.ts";
import { LIVE_COUNTED, type LiveCounted } from "./calibration-live-cell.ts";
import { liveShapesWith } from "./calibration-live-shapes.ts";
import {
  breaksBound,
  bySize,
  held,
  shareOf,
  type Calibration,
  type CellResult,
  type Extent,
} from "./calibration-results.ts";

type LiveResult = CellResult<LiveCounted>;

const CHUNK = 20;
const QUICK = ["normal", "GARCH(1,1), t(4)", "AR(1) 0.2", "95 % wins"];
/**
 * The bound for false decay within ten years: with a mean time of ten years to a false alarm, this share has one by
 * then.
 */
const DECAY_BOUND = 1 - Math.exp(-1);

/**
 * Measures how often live days falsely stop a strategy that is as good as its backtest truly was, how often they show
 * an edge where there is none, and how soon they find either, on records of ten years.
 */
export function liveCalibration({ prices, quick, count }: Extent): Calibration<LiveCounted> {
  const shapes = liveShapesWith(prices);
  const all = (variants: number, bars: number, edge: number) =>
    shapes
      .filter(({ name }) => !quick || QUICK.includes(name))
      .filter(({ goesOn }) => goesOn !== true || variants <= 13)
      .map(({ name }) => ({ shape: name, variants, bars, edge }));
  const whole = [750, 250, 1500].flatMap((bars) => [
    ...[1, 13, 200].flatMap((variants) => all(variants, bars, 1.5)),
    ...(bars === 750 ? all(13, bars, 3) : []),
  ]);
  const usual = (variants: number) => (variants === 1 ? 1000 : variants === 13 ? 400 : 200);
  return {
    name: "calibration-live",
    worker: fileURLToPath(new URL("./calibration-live-cell.js", import.meta.url)),
    shapes,
    cells: quick ? [...all(1, 750, 1.5), ...all(13, 750, 1.5)] : whole,
    countOf: ({ variants }) => count ?? (quick ? 200 : usual(variants)),
    chunkOf: () => CHUNK,
    table: liveSummary,
    write: (results) => {
      writeBelow("docs/live-calibration.md", "In short", liveSummary(results));
      const made = { made: "records", columns: LIVE_COUNTED };
      writeFileSync("docs/live-calibration.csv", cellsCsv(results, made));
      writeRows("quant/live/measured-rates.ts", "RatesRow", { LIVE_ROWS: liveRates(results) });
    },
    broken: brokenLiveBounds,
  };
}

/** A line for each bound that an exact binomial test at 1 % rejects in a cell. */
export function brokenLiveBounds(results: readonly LiveResult[]): string[] {
  return held(results).flatMap(({ cell, made, counts }) => {
    const { falseStop10y, falseHolds10y, decay10y } = counts;
    const bounds = [
      ["stopped", falseStop10y, undefined],
      ["held", falseHolds10y, undefined],
      ["decayed", decay10y, DECAY_BOUND],
    ] as const;
    const { shape, variants, bars, edge } = cell;
    return bounds
      .filter(([, count, bound]) => breaksBound(count, made, bound))
      .map(
        ([word, count]) =>
          `${shape}, N ${variants}, T ${bars}, SR ${edge}: falsely ${word} ${count} of ${made}`,
      );
  });
}

/**
 * For each size and length, over all shapes but those that are not controlled: the highest shares of false answers within
 * 3 and 10 years, and the medians of what is found within 1 and 3. In percent.
 */
export function liveSummary(results: readonly LiveResult[]): string[] {
  const lines = bySize(results).map(({ variants, bars, own }) => {
    const shares = (name: LiveCounted) => own.map((result) => 100 * shareOf(result, name));
    const worst = (names: readonly LiveCounted[]) =>
      names.map((name) => Math.max(...shares(name)).toFixed(1)).join(" / ");
    const middle = (names: readonly LiveCounted[]) =>
      names.map((name) => median(shares(name)).toFixed(0)).join(" / ");
    return [
      variants,
      bars,
      worst(["falseStop3y", "falseStop10y"]),
      worst(["falseHolds3y", "falseHolds10y"]),
      worst(["decay10y"]),
      middle(["stopped1y", "stopped3y"]),
      middle(["holds1y", "holds3y"]),
    ];
  });
  const titles = ["N", "T", "false stop", "false holds", "decay", "stop found", "holds found"];
  return markdown([titles, ...lines]);
}

/** The worst rates of false alarms at each size and length, over all shapes but those that are not controlled. */
export function liveRates(results: readonly LiveResult[]): LiveErrorRates[] {
  return bySize(results).map(({ variants, bars, own }) => {
    const worst = (name: LiveCounted) => Math.max(...own.map((result) => shareOf(result, name)));
    return {
      variants,
      bars,
      falseStop3y: worst("falseStop3y"),
      falseStop10y: worst("falseStop10y"),
      falseHolds10y: worst("falseHolds10y"),
      records: Math.min(...own.map(({ made }) => made)),
    };
  });
}
