import { distance } from "fastest-levenshtein";
import PQueue from "p-queue";
import { dateOfDay } from "../../quant/calendar.ts";
import type { BoardCoin } from "../board.ts";
import { dayOfInstant } from "./as-of.ts";
import { OVERLAP_DAYS, fetchCandles, type Candle } from "./candles.ts";
import { CANDLES_BYTES_MAX, exchangeFetch, MARKETS_BYTES_MAX } from "./exchange-http.ts";
import type { ExchangeFetchOptions } from "./exchange-http.ts";
import { joinEarlier } from "./earlier.ts";
import { InputError } from "./input-error.ts";
import { randomStream } from "./random.ts";
import { makeRetrier, RequestFault } from "./retry.ts";
import { Tally } from "./tally.ts";
import type { FileFault, RowFault, SourceCoin } from "../price-rules/raw-row.ts";
import type { FetchRange, PriceSource } from "./source.ts";

export interface ExchangeOptions {
  readonly now: () => number;
  /** A clock that is never set, for pauses; by default `now`. */
  readonly elapsedMs?: (() => number) | undefined;
  readonly exchangeUrl?: string | undefined;
  readonly onNotice?: (message: string) => void;
  /** For tests: how to wait. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** For tests: how long an answer may take, including its body. */
  readonly timeoutMs?: number;
}

/** The part of a ccxt exchange that is used. */
interface Client {
  readonly id: string;
  readonly has: Readonly<Record<string, boolean | "emulated" | undefined>>;
  readonly timeframes: Readonly<Record<string, unknown>>;
  readonly markets: Readonly<Record<string, { readonly spot?: unknown }>> | undefined;
  readonly features?: { spot?: { fetchOHLCV?: { limit?: number } } };
  options: Record<string, unknown>;
  urls: Record<string, unknown>;
  loadMarkets(reload: boolean): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit?: number): Promise<unknown>;
}

interface SymbolToFetch extends Pick<BoardCoin, "ticker" | "symbol"> {
  /** An exchange may list an earlier symbol and have no candles of it any more. */
  readonly isEarlier?: boolean;
}

type Run = <T>(request: () => Promise<T>) => Promise<T>;

/** Concurrent requests. The library spaces them by the exchange's own rate limit. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 20_000;
/** Candles per page. Exchanges with smaller pages declare them in `features`, or just send fewer. */
const PAGE_MAX = 1000;
/** If more than this share of the coins fail, the exchange is at fault and nothing is published. */
const FAILED_SHARE_MAX = 0.2;
const SUGGESTIONS_MAX = 3;

/**
 * Daily candles of an exchange's spot markets, through ccxt. Prices are in the quote currency of the board's symbols:
 * USDT on the built-in board, treated as US dollars. Volume is in the base coin. A coin that fails is reported, and
 * the prices of the others are kept.
 */
export async function openExchange(name: string, options: ExchangeOptions): Promise<PriceSource> {
  let clockAheadMs = -Infinity; // how far the exchange's clock is ahead of this machine's
  const { client, run } = await connect(name, options, (serverMs) => {
    clockAheadMs = Math.max(clockAheadMs, serverMs - options.now());
  });
  const tally = new Tally(`exchange:${client.id}`);
  const queue = new PQueue({ concurrency: CONCURRENCY });
  return {
    name: `exchange:${client.id}`,
    synthetic: false,
    parallel: CONCURRENCY,
    newestDay: (limit) => {
      // The slower clock decides: a day that is not over for the exchange has no close.
      const isKnown = clockAheadMs > -Infinity;
      const over = isKnown ? dayOfInstant(options.now() + clockAheadMs) - 1 : limit;
      if (over < limit) {
        const date = dateOfDay(over + 1);
        options.onNotice?.(
          `by the clock of exchange "${client.id}" ${date} is not over: it is left out`,
        );
      }
      return Promise.resolve(Math.min(limit, over));
    },
    fetch: async (coin, range) => {
      const today = dayOfInstant(options.now());
      const fetchOne = async (one: SymbolToFetch, days: FetchRange) =>
        await queue.add(() => fetchCoin({ client, run, today }, one, days));
      const own = await fetchOne(coin, range);
      const before = await Promise.all(
        (coin.earlier ?? [])
          .filter(({ until }) => range.fromDay === null || range.fromDay <= until + OVERLAP_DAYS)
          .map(async (earlier) => {
            const toDay = Math.min(range.toDay, earlier.until);
            const one = { ticker: coin.ticker, symbol: earlier.symbol, isEarlier: true };
            return { earlier, coin: await fetchOne(one, { ...range, toDay }) };
          }),
      );
      return tally.add(joinEarlier(own, before));
    },
    conclude: () => tally.summary({ failedShareMax: FAILED_SHARE_MAX }),
  };
}

async function connect(
  name: string,
  options: ExchangeOptions,
  onClock: ExchangeFetchOptions["onClock"],
): Promise<{ client: Client; run: Run }> {
  const { now, exchangeUrl, onNotice = () => {} } = options;
  const ccxt = (await import("ccxt")).default;
  if (!ccxt.exchanges.includes(name)) {
    throw new InputError(`exchange "${name}" is unknown${suggestion(name, ccxt.exchanges)}`);
  }
  const makers = ccxt as unknown as Record<string, new (config: object) => Client>;
  const Maker = makers[name]!; // the library lists it, so it has it
  let answerBytesMax = MARKETS_BYTES_MAX;
  const client = new Maker({
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    enableRateLimit: true,
    options: { defaultType: "spot" },
    fetchImplementation: exchangeFetch({ now, onClock, answerBytesMax: () => answerBytesMax }),
  });
  if (client.has["fetchOHLCV"] !== true || !("1d" in client.timeframes)) {
    throw new InputError(`exchange "${name}" offers no daily candles`);
  }
  spotOnly(client);
  if (exchangeUrl !== undefined) client.urls["api"] = rebased(client.urls["api"], exchangeUrl);
  const jitter = randomStream("retry");
  const run = makeRetrier({
    elapsedMs: options.elapsedMs ?? now,
    onNotice,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    random: () => jitter.uniform(),
    faultOf: (error) => faultOf(error, ccxt.OperationFailed),
  });
  try {
    // Forces a reload, because the library caches a failed attempt.
    await run(() => client.loadMarkets(true));
  } catch (error) {
    throw new InputError(`exchange "${name}" does not list its markets: ${sentence(error)}`, {
      cause: error,
    });
  }
  answerBytesMax = CANDLES_BYTES_MAX; // only candles are requested from here on
  return { client, run };
}

async function fetchCoin(
  { client, run, today }: { client: Client; run: Run; today: number },
  { ticker, symbol, isEarlier = false }: SymbolToFetch,
  range: FetchRange,
): Promise<SourceCoin> {
  const empty = { ticker, rows: [], faults: [], whole: false, fetchedFrom: range.fromDay };
  const failed = (fault: FileFault): SourceCoin => ({ ...empty, fault });
  // Contracts are left alone: their candles count contracts, not coins.
  if (client.markets?.[symbol]?.spot !== true) {
    const kind = client.markets?.[symbol] === undefined ? "" : " as a spot market";
    const message = `${client.id} does not list ${symbol}${kind}`;
    return failed({ reason: "symbol_unknown", message });
  }
  const limit = Math.min(PAGE_MAX, client.features?.spot?.fetchOHLCV?.limit ?? PAGE_MAX);
  const page = async (sinceMs: number, days: number): Promise<readonly Candle[]> =>
    candlesOf(await client.fetchOHLCV(symbol, "1d", sinceMs, days));
  try {
    const pages = (sinceMs: number, days: number) => run(() => page(sinceMs, days));
    const candles = await fetchCandles({ pages, today, pageDays: limit }, range);
    if (candles.received === 0 && candles.fetchedFrom <= range.toDay && !isEarlier) {
      return failed({ reason: "fetch_failed", message: `${symbol}: no candle was sent` });
    }
    const { rows, faults, fetchedFrom } = candles;
    if (rows.length === 0 && faults[0] !== undefined) {
      const message = `${symbol}: ${anotherDay(faults[0])}`;
      return failed({ reason: "fetch_failed", message });
    }
    return { ticker, rows, faults, fault: null, whole: false, fetchedFrom };
  } catch (error) {
    return failed({ reason: "fetch_failed", message: `${symbol}: ${sentence(error)}` });
  }
}

/** Some exchanges have other days: those of HTX begin at midnight in Singapore. */
function anotherDay({ raw }: RowFault): string {
  const at = new Date(Number(raw.split(",")[0])).toISOString();
  return `no daily candle begins at midnight UTC, the first one begins at ${at.slice(11, 16)}, so they cover other days`;
}

/** Checks the shape of candles, because the library turns an answer of another shape into empty ones. */
function candlesOf(answer: unknown): readonly Candle[] {
  const isCandle = (candle: unknown): boolean =>
    Array.isArray(candle) && Number.isFinite(candle[0]) && candle.length >= 6;
  if (Array.isArray(answer) && answer.every(isCandle)) return answer as Candle[];
  throw new RequestFault("the answer holds no candles", { retryable: true });
}

/** The library's transport failures may pass; its refusals (no such symbol, bad request) are final. */
function faultOf(
  error: unknown,
  passing: abstract new (...args: never[]) => unknown,
): RequestFault {
  if (error instanceof RequestFault) return error;
  return new RequestFault(sentence(error), { retryable: error instanceof passing, cause: error });
}

/** Makes exchanges that list several kinds of markets list only the spot market. */
function spotOnly(client: Client): void {
  const listing = client.options["fetchMarkets"];
  if (typeof listing !== "object" || listing === null || !("types" in listing)) return;
  const { types } = listing;
  if (Array.isArray(types) && types.includes("spot")) {
    client.options["fetchMarkets"] = { ...listing, types: ["spot"] };
  } else if (typeof types === "object" && types !== null && "spot" in types) {
    client.options["fetchMarkets"] = { ...listing, types: { spot: true } };
  }
}

/** The library's addresses with scheme and host replaced; paths stay as they are. */
function rebased(urls: unknown, base: string): unknown {
  if (!/^https?:\/\/[^/\s]+/.test(base)) {
    throw new InputError(`exchange address: expected an http or https URL, got "${base}"`);
  }
  if (typeof urls === "string") return urls.replace(/^\w+:\/\/[^/]+/, base.replace(/\/+$/, ""));
  if (typeof urls !== "object" || urls === null) return urls;
  return Object.fromEntries(
    Object.entries(urls).map(([key, value]) => [key, rebased(value, base)]),
  );
}

function suggestion(name: string, known: readonly string[]): string {
  const nearest = known
    .map((other) => ({ other, steps: distance(name.toLowerCase(), other) }))
    .filter(({ steps }) => steps <= Math.max(2, Math.floor(name.length / 2)))
    .sort((a, b) => a.steps - b.steps)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ other }) => `"${other}"`);
  return nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
}

/** An error's message on one short line: the library quotes whole answers. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, " ").slice(0, 200);
}
