import { buildPanel } from "../../../quant/check/build-panel.ts";
import { checkPanel } from "../../../quant/check/check-panel.ts";
import type { CheckOptions } from "../../../quant/check/check-options.ts";
import type { Observations } from "../../../quant/check/panel.ts";
import type { CheckReport } from "../../../quant/check/report.ts";
import { xoshiro128 } from "../../../quant/overfitting/seeded-random.ts";

export const DAY = 86_400;
/** 2023-01-02, a Monday. */
export const FIRST_DAY = 19_359;

/** Daily rows from 2023-01-02 on; `over` replaces what a test is about. */
export function dailyRowsOf(
  columns: readonly Float64Array[],
  over: Partial<Observations> = {},
): Observations {
  const rows = columns[0]!.length;
  return {
    kind: "returns",
    instants: Float64Array.from({ length: rows }, (_, row) => (FIRST_DAY + row) * DAY),
    lines: Int32Array.from({ length: rows }, (_, row) => row + 2),
    names: columns.map((_, column) => `v${column}`),
    columns,
    ...over,
  };
}

/** Independent normal numbers. */
export function normals(seed: number): () => number {
  const random = xoshiro128([seed, 2, 3, 4]);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Normal returns with a yearly Sharpe ratio for each column. */
export function normalColumns(
  seed: number,
  rows: number,
  sharpes: readonly number[],
): Float64Array[] {
  const next = normals(seed);
  for (let warm = 0; warm < 20; warm++) next();
  return sharpes.map((sharpe) => {
    const drift = (0.02 * sharpe) / Math.sqrt(365);
    return Float64Array.from({ length: rows }, () => 0.02 * next() + drift);
  });
}

export function checkOf(
  columns: readonly Float64Array[],
  options: Partial<CheckOptions> = {},
  rows: Partial<Observations> = {},
): CheckReport {
  const source = { format: "generic", tool: "test", kind: "returns" } as const;
  return checkPanel(buildPanel(dailyRowsOf(columns, rows)), { source, resamples: 400, ...options });
}
