import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bars } from "../../quant/bars.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { RUNS_PER_COIN } from "../../quant/dataset/definition.ts";
import { oneBarLater, scoreNeeded } from "../../quant/check/one-bar-later.ts";
import { DEFAULT_COSTS } from "../../quant/engine/costs.ts";
import { runGrid } from "../../quant/engine/grid.ts";
import { panelOf, rebuiltBars, withoutDrift } from "../../quant/overfitting/index-panel.ts";
import { randomBelow } from "../../quant/overfitting/seeded-random.ts";
import { VARIANTS_PER_TEMPLATE, WARM_UP_DAYS } from "../../quant/strategies/catalogue.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import type { Template } from "../../quant/strategies/template.ts";
import { timeSeriesMomentum } from "../../quant/strategies/time-series-momentum.ts";
import type { MadePanel, PanelSize, Shape } from "./calibration-shapes.ts";

export const AGAINST_COIN = "real coins, against the coin";

const BLOCK_DAYS = 20;
const LOOKBACK_MIN = 5;
/** Coins with a shorter history are left out: it would repeat the same few blocks. */
const HISTORY_MIN = 1_000;

/** The days of a coin, with and without its mean daily return. */
interface Coin {
  readonly withDrift: Days;
  readonly withoutDrift: Days;
}
type Days = Parameters<typeof rebuiltBars>[0];

/**
 * Shapes of real coins, whose days are put in random order and traded by our own rules: 1 variant, the 13 of a
 * template, or all 286.
 *
 * Days come in blocks of 20, drawn with replacement from the whole history of a coin. If each block were used once,
 * the sum of the days would be fixed, and a rule that is always in the market could not be lucky. Costs are those of
 * the dataset. They about outweigh what a rule can still learn from the order of the days within a block.
 *
 * Against cash, the mean return of the coin is taken off its days. Against the coin it stays, and the check knows the
 * coin.
 */
export function coinShapes(folder: string): readonly Shape[] {
  const coins = once(() => readCoins(folder));
  return [
    {
      name: "real coins, against cash",
      kind: "controlled",
      variantsMax: RUNS_PER_COIN,
      draw: (size, random) => ({ columns: traded(coins(), size, random, "withoutDrift").columns }),
    },
    {
      name: AGAINST_COIN,
      kind: "controlled",
      variantsMax: RUNS_PER_COIN,
      draw: (size, random) => traded(coins(), size, random, "withDrift"),
    },
    {
      name: "real coins, looking back 5 to 200 days",
      kind: "controlled",
      variantsMin: 2,
      variantsMax: 200,
      draw: (size, random) => {
        const templates = [lookingBack(size.variants)];
        const drawn = market(coins(), size.bars, { random, drift: "withoutDrift" });
        return { columns: runsOf(drawn, templates) };
      },
    },
  ];
}

/** Momentum over its whole legal range, in equal steps. */
function lookingBack(variants: number): Template {
  const step = (WARM_UP_DAYS - LOOKBACK_MIN) / (variants - 1);
  const lookbacks = Array.from({ length: variants }, (_, index) =>
    Math.round(LOOKBACK_MIN + step * index),
  );
  return { ...timeSeriesMomentum, variants: lookbacks.map((lookback) => ({ lookback })) };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function readCoins(folder: string): Coin[] {
  return readBars(folder).flatMap((bars) => {
    const days = bars.day.length;
    if (days < HISTORY_MIN) return [];
    const panel = panelOf([bars], { lastDay: bars.day[days - 1]!, days });
    return [{ withDrift: panel.coins[0]!, withoutDrift: withoutDrift(panel).coins[0]! }];
  });
}

/**
 * Reads one `<ticker>.csv` for each coin: date, open, high, low, close, volume. The last row may be unfinished and is
 * left out.
 */
export function readBars(folder: string): Bars[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(".csv"));
  const coins = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8"));
  return coins.map(barsOf);
}

function barsOf(text: string): Bars {
  const rows = text.trim().split("\n").slice(1, -1);
  const cells = rows.map((row) => row.split(","));
  const column = (index: number) => Float64Array.from(cells, (row) => Number(row[index]));
  return {
    day: Int32Array.from(cells, (row) => dayOfDate(row[0]!)!),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

function traded(
  coins: readonly Coin[],
  { variants, bars }: PanelSize,
  random: () => number,
  drift: keyof Coin,
): Required<MadePanel> {
  const drawn = market(coins, bars, { random, drift });
  const one = STUDIED[randomBelow(STUDIED.length, random)]!;
  const runs = runsOf(drawn, variants <= VARIANTS_PER_TEMPLATE ? [one] : STUDIED);
  const coin = heldReturns(drawn);
  return { columns: variants === 1 ? [runs[randomBelow(runs.length, random)]!] : runs, coin };
}

/** Of the coin, over the bars of `runsOf`. */
function heldReturns({ close }: Bars): Float64Array {
  return Float64Array.from(
    { length: close.length - WARM_UP_DAYS - 1 },
    (_, row) => close[WARM_UP_DAYS + row + 1]! / close[WARM_UP_DAYS + row]! - 1,
  );
}

/** All our runs on these bars, which know no price ahead: how many can be tested for it, and how many are found. */
export function earlyRuns(bars: Bars) {
  if (bars.day.length < WARM_UP_DAYS + 2) return { tested: 0, found: 0 }; // no rule can trade
  const coin = heldReturns(bars);
  const tested = runsOf(bars, STUDIED)
    .map((run) => oneBarLater(run, coin))
    .filter((run) => run?.fault === null);
  const found = tested.filter((run) => Math.max(run!.score1, run!.score2) >= scoreNeeded(1));
  return { tested: tested.length, found: found.length };
}

/**
 * Days of a coin in random order, with those of the warm-up and one more before them, so that the first traded day
 * starts flat.
 */
function market(
  coins: readonly Coin[],
  bars: number,
  { random, drift }: { random: () => number; drift: keyof Coin },
): Bars {
  const days = coins[randomBelow(coins.length, random)]![drift];
  return rebuiltBars(days, blockDays(days.close.length, WARM_UP_DAYS + 1 + bars, random));
}

function runsOf(bars: Bars, templates: readonly Template[]): Float64Array[] {
  const runs: Float64Array[] = [];
  const window = { from: WARM_UP_DAYS, to: bars.day.length };
  runGrid({ bars, window, costs: DEFAULT_COSTS, templates }, ({ returns }) => {
    runs.push(returns.slice(1));
  });
  return runs;
}

/** `length` rows of a history, in blocks of consecutive rows from random places. */
function blockDays(history: number, length: number, random: () => number): Int32Array {
  const rows = new Int32Array(length);
  let start = 0;
  for (let row = 0; row < length; row++) {
    const within = row % BLOCK_DAYS;
    if (within === 0) start = randomBelow(history - BLOCK_DAYS + 1, random);
    rows[row] = start + within;
  }
  return rows;
}
