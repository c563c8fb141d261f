import { dayOfCivil } from "../../quant/calendar.ts";
import type { Board, BoardCoin } from "../board.ts";
import type { RawRow } from "../price-rules/raw-row.ts";
import { randomStream, type RandomStream } from "./random.ts";
import type { PriceSource } from "./source.ts";
import { Tally } from "./tally.ts";

/** One day of the common factor, which moves every coin. */
interface MarketDay {
  /** Log return of the common factor. */
  readonly change: number;
  /** Standard deviation it was drawn with. */
  readonly deviation: number;
}

/** Volatility of one day's shock, GARCH(1,1): T. Bollerslev (1986). */
interface Volatility {
  /** Long-run standard deviation of a day. */
  readonly deviation: number;
  /** Weight of yesterday's squared shock. */
  readonly shock: number;
  /** Weight of yesterday's variance. */
  readonly memory: number;
}

const MARKET: Volatility = { deviation: 0.031, shock: 0.09, memory: 0.89 };

/** Limit on a day's shock, in its standard deviations. */
const SHOCK_MAX = 9;

/** Daily log drift of the whole market in each regime, and how often that regime is drawn. */
const REGIMES = [
  { drift: 0.0042, share: 0.3 },
  { drift: 0.0003, share: 0.45 },
  { drift: -0.0038, share: 0.25 },
] as const;
const REGIME_DAYS_MIN = 60;
const REGIME_DAYS_MAX = 320;

/**
 * The common factor from its first day on, extended on demand. A day depends on the seed and on the days before it,
 * never on how far anyone looks.
 */
function makeMarket(seed: number): (row: number) => MarketDay {
  const stream = randomStream(`market:${seed}`);
  const shock = shocks(stream, MARKET);
  const days: MarketDay[] = [];
  let drift: number = REGIMES[0].drift;
  let left = REGIME_DAYS_MIN;
  return (row) => {
    while (days.length <= row) {
      if (left === 0) {
        drift = nextDrift(stream.uniform());
        left = Math.round(REGIME_DAYS_MIN + stream.uniform() * (REGIME_DAYS_MAX - REGIME_DAYS_MIN));
      }
      left--;
      const drawn = shock();
      days.push({ change: drift + drawn.change, deviation: drawn.deviation });
    }
    return days[row]!; // the loop has filled it
  };
}

/** Shocks whose size clusters in time and whose tails are fat. */
function shocks(stream: RandomStream, volatility: Volatility): () => MarketDay {
  const { deviation: longRun, shock, memory } = volatility;
  const base = longRun * longRun * (1 - shock - memory);
  let variance = longRun * longRun;
  return () => {
    const deviation = Math.sqrt(variance);
    const drawn = Math.max(-SHOCK_MAX, Math.min(SHOCK_MAX, stream.student4()));
    const change = deviation * drawn;
    variance = base + shock * change * change + memory * variance;
    return { change, deviation };
  };
}

function nextDrift(uniform: number): number {
  let left = uniform;
  for (const { drift, share } of REGIMES) {
    left -= share;
    if (left <= 0) return drift;
  }
  return REGIMES[0].drift;
}

/** What distinguishes a coin of the demo market. */
interface Character {
  readonly firstDay: number;
  /** The day its market closed, if it did. */
  readonly lastDay: number;
  readonly startPrice: number;
  /** How strongly it follows the market's change. */
  readonly beta: number;
  readonly own: Volatility;
  /** Dollars traded on an ordinary day. */
  readonly turnover: number;
}

const FIRST_DAY = dayOfCivil({ year: 2017, month: 8, dayOfMonth: 17 });
const LAST_LISTING_DAY = dayOfCivil({ year: 2024, month: 3, dayOfMonth: 1 });
const DELISTING_DAY = dayOfCivil({ year: 2024, month: 9, dayOfMonth: 10 });
/** The first coins of a board exist from the market's first day. */
const COINS_AT_START = 2;
/** A board with fewer coins has no delisted one. */
const DELISTING_BOARD_MIN = 5;
const START_PRICES = [4300, 300];
/** Limit on a day's log change, up or down. */
const CHANGE_MAX = 0.9;
/**
 * Share of the log distance to its start price that a coin loses each day, so that prices stay plausible for ten
 * years.
 */
const PULL = 0.0006;
const PRICE_DIGITS = 5;
const VOLUME_DIGITS = 8;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * A made-up market with the statistics of the real one: fat tails, clustered volatility, a common factor, booms and
 * declines, later listings and one delisting. A coin's prices follow from the seed, its ticker and its place on the
 * board. A day never changes, however much later it is looked at.
 */
export function openDemo(board: Board, seed: number): PriceSource {
  const market = makeMarket(seed);
  const placeOf = new Map(board.map(({ ticker }, index) => [ticker, index]));
  const tally = new Tally("demo");
  return {
    name: "demo",
    synthetic: true,
    parallel: 1,
    newestDay: (limit) => Promise.resolve(limit >= FIRST_DAY ? limit : null),
    fetch: ({ ticker }: BoardCoin, { toDay }) => {
      const stream = randomStream(`coin:${seed}:${ticker}`);
      const slot = { index: placeOf.get(ticker) ?? 0, coins: board.length };
      const character = draw(stream, slot);
      const rows = trade(stream, character, { market, toDay });
      const coin = { ticker, rows, faults: [], fault: null, whole: true, fetchedFrom: null };
      return Promise.resolve(tally.add(coin));
    },
    conclude: () => tally.summary({ failedShareMax: 0 }),
  };
}

function draw(stream: RandomStream, index: { index: number; coins: number }): Character {
  const delisted =
    index.coins >= DELISTING_BOARD_MIN && index.index === Math.floor(index.coins * 0.8);
  const share = index.index / index.coins;
  // Most coins are listed in the first years; the further down the board, the later.
  const listing =
    FIRST_DAY + (LAST_LISTING_DAY - FIRST_DAY) * (0.5 * share + 0.5 * stream.uniform()) ** 1.6;
  const price = 10 ** (-1.5 + 3.5 * stream.uniform());
  const betaDrawn = 0.75 + 0.5 * stream.uniform();
  const deviation = 0.019 + 0.015 * stream.uniform();
  const rank = 1 / (1 + index.index) ** 0.9;
  return {
    firstDay: index.index < COINS_AT_START ? FIRST_DAY : Math.floor(listing),
    lastDay: delisted ? DELISTING_DAY : Infinity,
    startPrice: START_PRICES[index.index] ?? price,
    beta: index.index === 0 ? 0.9 : betaDrawn,
    own: { deviation, shock: 0.12, memory: 0.85 },
    turnover: 1.5e9 * rank * (0.5 + stream.uniform()),
  };
}

/** The coin's rows from its listing to `toDay`. */
function trade(
  stream: RandomStream,
  coin: Character,
  { market, toDay }: { market: (row: number) => MarketDay; toDay: number },
): RawRow[] {
  const own = shocks(stream, coin.own);
  const rows: RawRow[] = [];
  const start = Math.log(coin.startPrice);
  let level = start;
  let interest = 0; // how actively the coin is traded, in logs: an AR(1)
  for (let day = coin.firstDay; day <= Math.min(toDay, coin.lastDay); day++) {
    const common = market(day - FIRST_DAY);
    const alone = own();
    const wanted = coin.beta * common.change + alone.change - PULL * (level - start);
    const change = Math.max(-CHANGE_MAX, Math.min(CHANGE_MAX, wanted));
    const deviation = Math.hypot(coin.beta * common.deviation, alone.deviation);
    interest = 0.9 * interest + 0.25 * stream.normal();
    const bar = barOf(stream, { level, change, deviation });
    const turnover =
      coin.turnover * Math.exp(interest + 0.5 * (Math.abs(change) / deviation - 0.8));
    const volume = turnover / bar.close;
    rows.push({
      day,
      ...bar,
      volume: grid(volume, VOLUME_DIGITS)(volume),
      line: rows.length + 1,
    });
    level += change;
  }
  return rows;
}

/**
 * A day's open, high, low and close. Within the day the log price is a Brownian bridge from open to close. Its
 * maximum has the distribution function 1 - exp(-2m(m - r)/s^2) for m above 0 and r, and is drawn by inversion; the
 * minimum is drawn by symmetry. Source: I. Karatzas and S. Shreve, "Brownian Motion and Stochastic Calculus" (1991),
 * section 4.3.
 */
function barOf(
  stream: RandomStream,
  { level, change, deviation }: { level: number; change: number; deviation: number },
): Pick<RawRow, "open" | "high" | "low" | "close"> {
  const spread = (uniform: number): number =>
    Math.sqrt(change * change - 2 * deviation * deviation * Math.log(uniform));
  const open = Math.exp(level);
  const up = (change + spread(stream.uniform())) / 2;
  const down = (change - spread(stream.uniform())) / 2;
  // One tick size for the whole bar keeps low <= open, close <= high after rounding.
  const round = grid(open, PRICE_DIGITS);
  return {
    open: round(open),
    high: round(open * Math.exp(up)),
    low: round(open * Math.exp(down)),
    close: round(open * Math.exp(change)),
  };
}

/** Rounds as an exchange does: to multiples of the power of ten that leaves `digits` significant digits of `size`. */
function grid(size: number, digits: number): (value: number) => number {
  const decimals = digits - 1 - Math.floor(Math.log10(size));
  const power = POWERS_OF_TEN[Math.abs(decimals)] ?? 10 ** Math.abs(decimals);
  return decimals >= 0
    ? (value) => Math.round(value * power) / power
    : (value) => Math.round(value / power) * power;
}
