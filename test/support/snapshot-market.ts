import type { Bars } from "../../quant/bars.ts";
import type { BoardCoin } from "../../pipeline/board.ts";
import type { Progress, StepReport } from "../../pipeline/steps.ts";
import { runPipeline, type RunInput, type RunResult } from "../../pipeline/run.ts";
import type { RawRow, SourceCoin } from "../../pipeline/price-rules/raw-row.ts";
import type { PriceSource } from "../../pipeline/sources/source.ts";
import { THIS_THREAD } from "../../pipeline/compute-pool.ts";
import { stagesOf } from "../../pipeline/stages.ts";
import { INDEX_DRAWS_DEFAULT } from "../../pipeline/stages/overfitting-index.ts";
import { prices } from "../../pipeline/stages/prices.ts";
import { madeUpBars } from "./made-up-bars.ts";

/** A board of two coins. */
export const TWO_COINS: readonly BoardCoin[] = [
  { ticker: "aaa", name: "Alpha", symbol: "AAA/USDT" },
  { ticker: "bbb", name: "Beta", symbol: "BBB/USDT" },
];

export function rowsOfBars(bars: Bars, from = 0, to = bars.day.length): RawRow[] {
  return Array.from({ length: to - from }, (_, index) => {
    const row = from + index;
    return {
      day: bars.day[row]!,
      open: bars.open[row]!,
      high: bars.high[row]!,
      low: bars.low[row]!,
      close: bars.close[row]!,
      volume: bars.volume[row]!,
      line: index + 2,
    };
  });
}

/** The requests that a made-up source got. */
export interface Asked {
  readonly ticker: string;
  readonly fromDay: number | null;
  readonly toDay: number;
}

/** A source that serves given rows and remembers its requests. */
export function memorySource(
  rows: Readonly<Record<string, readonly RawRow[]>>,
  more: Partial<PriceSource> & { asked?: Asked[]; coin?: Partial<SourceCoin> } = {},
): PriceSource {
  const { asked, coin, ...source } = more;
  return {
    name: "memory",
    synthetic: false,
    parallel: 2,
    newestDay: async (limit) => {
      const days = Object.values(rows).flatMap((list) => list.map(({ day }) => day));
      return Math.max(...days.filter((day) => day <= limit));
    },
    fetch: async ({ ticker }, { fromDay, toDay }) => {
      asked?.push({ ticker, fromDay, toDay });
      const wanted = (rows[ticker] ?? []).filter(
        ({ day }) => day <= toDay && (fromDay === null || day >= fromDay),
      );
      const whole = { whole: false, fetchedFrom: fromDay };
      return { ticker, rows: wanted, faults: [], fault: null, ...whole, ...coin };
    },
    conclude: () => ({ served: 1, missing: [], failed: [], otherFiles: 0 }),
    ...source,
  };
}

/** Two coins of made-up prices; the second is listed later. */
export function smallMarket(days = 260): Readonly<Record<string, RawRow[]>> {
  return {
    aaa: rowsOfBars(madeUpBars({ seed: 1, days })),
    bbb: rowsOfBars(madeUpBars({ seed: 2, days }), 60),
  };
}

/** The small market, and the last day of it. */
export const MARKET = smallMarket();
export const LAST_DAY = MARKET["aaa"]!.at(-1)!.day;

/** A progress that remembers what a run reported. */
export interface Watched extends Progress {
  readonly reports: StepReport[];
  readonly notices: string[];
}

export function watcher(): Watched {
  const reports: StepReport[] = [];
  const notices: string[] = [];
  return {
    reports,
    notices,
    begin() {},
    advance() {},
    end: (report) => void reports.push(report),
    notice: (text) => void notices.push(text),
  };
}

export const RUN_INSTANT_MS = Date.UTC(2026, 10, 21, 3, 15, 0, 123);

/** The stages of a run with the usual options, on one thread. */
export const STAGES = stagesOf(THIS_THREAD, {
  indexDraws: INDEX_DRAWS_DEFAULT,
  robustnessDraws: 0,
});

/** The only stage of runs that test the runner itself. They take a fraction of the time. */
export const PRICES_ONLY = [prices];

/** One run of the whole pipeline on a small market, at its own instant. */
export async function runSmall(
  root: string,
  more: Partial<RunInput> & { nowMs?: number } = {},
): Promise<RunResult> {
  const { nowMs = RUN_INSTANT_MS, ...input } = more;
  return await runPipeline({
    root,
    source: memorySource(MARKET),
    board: TWO_COINS,
    stages: STAGES,
    clock: { nowMs: () => nowMs, elapsedMs: () => 0 },
    versions: { hindsight: "test" },
    progress: watcher(),
    ...input,
  });
}

/** One run that publishes prices alone, for tests of the runner. */
export function runPrices(root: string, more: Parameters<typeof runSmall>[1] = {}) {
  return runSmall(root, { stages: PRICES_ONLY, ...more });
}
