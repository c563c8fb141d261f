import { buildPanel } from "../../quant/check/build-panel.ts";
import { checkPanel } from "../../quant/check/check-panel.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import { PanelRefused } from "../../quant/check/panel.ts";
import type { CheckReport } from "../../quant/check/report.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import type { Shape } from "./calibration-shapes.ts";

/** One cell of the table: a shape, a size, and how many panels of it. */
export interface Cell {
  readonly shape: string;
  readonly variants: number;
  readonly bars: number;
  readonly panels: number;
  readonly resamples: number;
  /** True yearly Sharpe ratio of one variant; 0 where none has an edge. */
  readonly edge: number;
}

/** How many panels each method called skill, of those that could be judged. */
export interface CellCounts {
  readonly psr: number;
  readonly publishedDsr: number;
  readonly adjustedDsr: number;
  readonly stepDown: number;
  readonly hansen: number;
  readonly pbo: number;
  readonly verdict: number;
  readonly luck: number;
  readonly withheld: number;
}

const DAYS_PER_YEAR = 365;
const CONFIDENCE = 0.95;
const LEVEL = 0.05;

/** A seed from a cell's text (FNV-1a), so that adding cells changes no other. */
export function cellSeed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Runs a cell. Each panel has a stream of its own. */
export function runCell(cell: Cell, shape: Shape, seed: number): CellCounts {
  const counts = {
    psr: 0,
    publishedDsr: 0,
    adjustedDsr: 0,
    stepDown: 0,
    hansen: 0,
    pbo: 0,
    verdict: 0,
    luck: 0,
    withheld: 0,
  };
  for (let panel = 0; panel < cell.panels; panel++) {
    const report = reportOf(cell, shape, seededRandom(seed, panel));
    if (report === undefined) {
      counts.withheld++;
      continue;
    }
    const { series, family, cscv, verdict } = report;
    const skill = {
      psr: series!.published.psr! >= CONFIDENCE,
      publishedDsr: series!.published.dsr! >= CONFIDENCE,
      adjustedDsr: series!.adjusted.dsr! >= CONFIDENCE,
      stepDown: (family?.p_value ?? 1) <= LEVEL,
      hansen: (family?.hansen_p_value ?? 1) <= LEVEL,
      pbo: (cscv?.pbo ?? 1) < LEVEL,
      verdict: verdict.value === "skill",
      luck: verdict.value === "luck",
      withheld: verdict.withheld_reason !== null,
    };
    for (const name of Object.keys(skill) as (keyof typeof skill)[])
      if (skill[name]) counts[name]++;
  }
  return counts;
}

/** Undefined for a panel in which nothing moves. */
function reportOf(cell: Cell, shape: Shape, random: () => number): CheckReport | undefined {
  const columns = Array.from({ length: cell.variants }, () => shape.draw(cell.bars, random));
  addEdge(columns[0]!, cell.edge);
  const days = { length: cell.bars };
  try {
    const panel = buildPanel({
      kind: "returns",
      instants: Float64Array.from(days, (_, row) => (19_000 + row) * DAY_SECONDS),
      lines: new Int32Array(cell.bars),
      names: columns.map((_, place) => `v${place}`),
      columns,
    });
    const source = { format: "made", tool: "calibration", kind: "returns" } as const;
    return checkPanel(panel, { source, nTrials: cell.variants, resamples: cell.resamples });
  } catch (error) {
    if (error instanceof PanelRefused) return undefined;
    throw error;
  }
}

/** Adds a drift, on the bars with a return, that gives the series a true Sharpe ratio. */
function addEdge(column: Float64Array, edge: number): void {
  if (edge === 0) return;
  let squares = 0;
  let active = 0;
  for (const value of column) {
    squares += value * value;
    if (value !== 0) active++;
  }
  const drift = (edge / Math.sqrt(DAYS_PER_YEAR)) * Math.sqrt(squares / column.length);
  const scale = column.length / Math.max(1, active);
  for (let row = 0; row < column.length; row++)
    if (column[row] !== 0) column[row]! += drift * scale;
}
