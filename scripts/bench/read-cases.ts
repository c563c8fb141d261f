/** The requests that reads are measured with. */
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { randomStream } from "../../pipeline/sources/random.ts";
import { makeKey } from "../../accounts/keys.ts";
import type { ManifestCoin } from "../../snapshots/manifest.ts";
import type { LoadRequest } from "./raw-request.ts";

type CaseCoin = Pick<ManifestCoin, "ticker" | "firstDay" | "lastDay">;

interface CaseInput {
  readonly snapshotId: string;
  readonly coins: readonly CaseCoin[];
  /** Keys on a plan whose limits are never reached here. */
  readonly keys: readonly string[];
  /** Keys whose rate limit their first request reaches: so many that a server cuts none of them off as a flood. */
  readonly rateKeys: readonly string[];
  /** A key whose quota its first request uses up. */
  readonly quotaKey: string;
}

export interface ReadCase {
  readonly name: string;
  readonly title: string;
  readonly requests: readonly LoadRequest[];
  readonly status: number;
  /** How many answers may have another status: the first ones, until an allowance is used up. */
  readonly othersMax: number;
}

/**
 * Enough that hardly any comes again while a server may remember it, and few enough for the memory of the generator.
 */
const DCA_REQUESTS = 100_000;
const OVERFITTING_REQUESTS = 5_000;
/** More than a server is likely to remember. */
const UNKNOWN_KEYS = 30_000;
const FEW = 1_000;
const AMOUNT_MAX_USD = 1_000;
/** A quota of 1 is used up at once. */
const FIRST_ANSWERS_MAX = 5;

/** All cases, with the same random parameters every time. */
export function readCases(input: CaseInput): ReadCase[] {
  const { coins, keys, rateKeys, snapshotId } = input;
  const draw = drawer("reads");
  const each = (count: number, make: (coin: CaseCoin) => Omit<LoadRequest, "key">): LoadRequest[] =>
    Array.from({ length: count }, (_, n) => ({ ...make(draw.pick(coins)), key: keyOf(n, keys) }));
  const get = (pathOf: (coin: CaseCoin) => string, count = FEW) =>
    each(count, (coin) => ({ path: pathOf(coin) }));
  const one = (path: string) => keys.map((key) => ({ path, key }));
  const signals = get(({ ticker }) => `/v1/signals?coin=${ticker}`);
  const withKey = (key: string) => signals.map(({ path }) => ({ path, key }));
  // The second request of a key is the first that is refused.
  const rateLimited = signals.map(({ path }, n) => ({ path, key: keyOf(n >> 1, rateKeys) }));
  const template = () => draw.pick(CATALOGUE).name;
  const cases: [name: string, title: string, LoadRequest[], status?: number, othersMax?: number][] =
    [
      ["signals-coin", "GET /signals?coin", signals],
      ["buy-hold", "GET /buy-hold", get(({ ticker }) => `/v1/buy-hold?coin=${ticker}`)],
      ["dca", "GET /dca, random parameters", get((coin) => dcaPath(coin, draw), DCA_REQUESTS)],
      ["dca-again", "GET /dca, the same thousand", get((coin) => dcaPath(coin, draw))],
      ["board", "GET /signals, whole board", one("/v1/signals")],
      [
        "dataset-filtered",
        "GET /dataset?template&coin",
        get(({ ticker }) => `/v1/dataset?template=${template()}&coin=${ticker}`),
      ],
      ["dataset", "GET /dataset, whole", one("/v1/dataset")],
      [
        "overfitting",
        "POST /overfitting",
        each(OVERFITTING_REQUESTS, () => ({ path: "/v1/overfitting", body: backtest(draw) })),
      ],
      [
        "not-modified",
        "304: If-None-Match",
        each(FEW, (coin) => notModified(snapshotId, coin)),
        304,
      ],
      ["unknown-key", `401: ${UNKNOWN_KEYS} unknown keys`, unknownKeys(signals, draw), 401],
      ["rate-used", "429: rate limited", rateLimited, 429, 2 * rateKeys.length],
      ["quota-used", "429: quota used up", withKey(input.quotaKey), 429, FIRST_ANSWERS_MAX],
    ];
  return cases.map(([name, title, requests, status = 200, othersMax = 0]) => {
    return { name, title, requests, status, othersMax };
  });
}

/** A mix of three common reads, a third each, for measurements that need one figure only. */
export function mixedReads(
  coins: readonly CaseCoin[],
  keys: readonly string[],
  count: number,
): LoadRequest[] {
  const draw = drawer("mixed");
  return Array.from({ length: count }, (_, n) => {
    const coin = draw.pick(coins);
    const paths = [
      `/v1/signals?coin=${coin.ticker}`,
      `/v1/buy-hold?coin=${coin.ticker}`,
      dcaPath(coin, draw),
    ];
    return { path: draw.pick(paths), key: keyOf(n, keys) };
  });
}

/** Keys are used in turn, so that as many connections as keys have one each. */
function keyOf(request: number, keys: readonly string[]): string {
  return keys[request % keys.length]!; // there is at least one
}

interface Drawer {
  pick<T>(values: readonly T[]): T;
  below(limit: number): number;
}

function drawer(seed: string): Drawer {
  const stream = randomStream(`bench:${seed}`);
  const below = (limit: number) => Math.floor(stream.uniform() * limit);
  return { below, pick: (values) => values[below(values.length)]! };
}

function dcaPath({ ticker, firstDay, lastDay }: CaseCoin, draw: Drawer): string {
  const start = dateOfDay(firstDay + draw.below(lastDay - firstDay + 1));
  const frequency = draw.pick(["weekly", "monthly"]);
  const amount = 1 + draw.below(AMOUNT_MAX_USD);
  return `/v1/dca?coin=${ticker}&amount=${amount}&frequency=${frequency}&start_date=${start}`;
}

function backtest(draw: Drawer): string {
  return JSON.stringify({
    sharpe: 0.5 + draw.below(300) / 100,
    timeframe: draw.pick(["1h", "4h", "1d", "1w"]),
    length_days: 365 + draw.below(2000),
    n_trials: 1 + draw.below(1000),
    skew: -draw.below(100) / 100,
    kurtosis: 3 + draw.below(500) / 100,
  });
}

/** With the entity tag that a server gives the answer. A server with another tag answers 200, which is noticed. */
function notModified(snapshotId: string, { ticker }: CaseCoin): Omit<LoadRequest, "key"> {
  const path = `/buy-hold?coin=${ticker}`;
  return { path: `/v1${path}`, etag: `W/"${snapshotId}${path}"` };
}

/** Well-formed keys with a valid checksum: only a look-up shows that they are unknown. */
function unknownKeys(like: readonly LoadRequest[], draw: Drawer): LoadRequest[] {
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => draw.below(256));
  return Array.from({ length: UNKNOWN_KEYS }, () => ({
    path: draw.pick(like).path,
    key: makeKey("live", bytes),
  }));
}
