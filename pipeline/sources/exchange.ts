import { distance } from "fastest-levenshtein";
import PQueue from "p-queue";
import { dateOfDay } from "../../quant/calendar.ts";
import type { BoardCoin } from "../board.ts";
import { dayOfInstant } from "./as-of.ts";
import { fetchCandles } from "./candles.ts";
import type { Candle } from "./candles.ts";
import { CANDLES_BYTES_MAX, exchangeFetch, MARKETS_BYTES_MAX } from "./exchange-http.ts";
import type { ExchangeFetchOptions } from "./exchange-http.ts";
import { InputError } from "./input-error.ts";
import { randomStream } from "./random.ts";
import { makeRetrier, RequestFault } from "./retry.ts";
import { Tally } from "./tally.ts";
import type { FetchRange, FileFault, PriceSource, SourceCoin } from "./source.ts";

export interface ExchangeOptions {
  readonly now: () => number;
  readonly seed: number;
  readonly exchangeUrl?: string | undefined;
  readonly onNotice?: (message: string) => void;
  /** For tests: how to wait. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** For tests: how long an answer may take, its body included. */
  readonly timeoutMs?: number;
}

/** What is used of a ccxt exchange; its own type allows far more. */
interface Client {
  readonly id: string;
  readonly has: Readonly<Record<string, boolean | "emulated" | undefined>>;
  readonly timeframes: Readonly<Record<string, unknown>>;
  readonly markets: Readonly<Record<string, unknown>> | undefined;
  readonly features?: { spot?: { fetchOHLCV?: { limit?: number } } };
  options: Record<string, unknown>;
  urls: Record<string, unknown>;
  loadMarkets(reload: boolean): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit?: number): Promise<unknown>;
}

type Run = <T>(request: () => Promise<T>) => Promise<T>;

/** Requests under way at once. The library spaces them by the exchange's own rate limit. */
const CONCURRENCY = 8;
const TIMEOUT_MS = 20_000;
/** Candles a page. Exchanges that give fewer say so in `features`, or simply give fewer. */
const PAGE_MAX = 1000;
/** When more than this share of the coins fail, the fault is the exchange's and nothing is published. */
const FAILED_SHARE_MAX = 0.2;
const SUGGESTIONS_MAX = 3;

/**
 * Daily candles of an exchange's spot markets, through ccxt. Prices are in the quote currency of
 * the board's symbols: on the built-in board USDT, taken as US dollars. Volume is in the base coin.
 * A coin that fails is reported and loses nobody else's prices.
 */
export async function openExchange(name: string, options: ExchangeOptions): Promise<PriceSource> {
  const counter = { requests: 0 };
  let clockAheadMs = -Infinity; // of this machine's clock
  const { client, run } = await connect(name, options, {
    onRequest: () => counter.requests++,
    onClock: (serverMs) => {
      clockAheadMs = Math.max(clockAheadMs, serverMs - options.now());
    },
  });
  const tally = new Tally(`exchange:${client.id}`);
  const queue = new PQueue({ concurrency: CONCURRENCY });
  return {
    name: `exchange:${client.id}`,
    synthetic: false,
    parallel: CONCURRENCY,
    newestDay: (limit) => {
      // Of two clocks the one that is behind decides: a day that is not over for the exchange has no close.
      const told = clockAheadMs > -Infinity;
      const over = told ? dayOfInstant(options.now() + clockAheadMs) - 1 : limit;
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
      const fetched = await queue.add(() => fetchCoin({ client, run, today }, coin, range));
      return tally.add(fetched);
    },
    conclude: () => tally.summary({ failedShareMax: FAILED_SHARE_MAX, ...counter }),
  };
}

async function connect(
  name: string,
  options: ExchangeOptions,
  watch: Pick<ExchangeFetchOptions, "onRequest" | "onClock">,
): Promise<{ client: Client; run: Run }> {
  const { now, seed, exchangeUrl, onNotice = () => {} } = options;
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
    fetchImplementation: exchangeFetch({ now, answerBytesMax: () => answerBytesMax, ...watch }),
  });
  if (client.has["fetchOHLCV"] !== true || !("1d" in client.timeframes)) {
    throw new InputError(`exchange "${name}" offers no daily candles`);
  }
  spotOnly(client);
  if (exchangeUrl !== undefined) client.urls["api"] = rebased(client.urls["api"], exchangeUrl);
  const jitter = randomStream(`retry:${seed}`);
  const run = makeRetrier({
    now,
    onNotice,
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    random: () => jitter.uniform(),
    faultOf: (error) => faultOf(error, ccxt.OperationFailed),
  });
  try {
    await run(() => client.loadMarkets(true)); // anew: the library keeps a failed attempt
  } catch (error) {
    throw new InputError(`exchange "${name}" does not list its markets: ${sentence(error)}`, {
      cause: error,
    });
  }
  answerBytesMax = CANDLES_BYTES_MAX; // nothing else is asked for from here on
  return { client, run };
}

async function fetchCoin(
  { client, run, today }: { client: Client; run: Run; today: number },
  { ticker, symbol }: BoardCoin,
  range: FetchRange,
): Promise<SourceCoin> {
  const empty = { ticker, rows: [], faults: [], whole: false, fetchedFrom: range.fromDay };
  const failed = (fault: FileFault): SourceCoin => ({ ...empty, fault });
  if (client.markets?.[symbol] === undefined) {
    const message = `${client.id} does not list ${symbol}`;
    return failed({ reason: "symbol_unknown", message });
  }
  const limit = Math.min(PAGE_MAX, client.features?.spot?.fetchOHLCV?.limit ?? PAGE_MAX);
  const page = async (sinceMs: number): Promise<readonly Candle[]> =>
    candlesOf(await client.fetchOHLCV(symbol, "1d", sinceMs, limit));
  try {
    const pages = (sinceMs: number) => run(() => page(sinceMs));
    const candles = await fetchCandles(pages, range, { today, pageDays: limit });
    if (candles.received === 0 && candles.fetchedFrom <= range.toDay) {
      return failed({ reason: "fetch_failed", message: `${symbol}: no candle was sent` });
    }
    const { rows, faults, fetchedFrom } = candles;
    return { ticker, rows, faults, fault: null, whole: false, fetchedFrom };
  } catch (error) {
    return failed({ reason: "fetch_failed", message: `${symbol}: ${sentence(error)}` });
  }
}

/** An answer of another shape comes out of the library as candles of nothing. */
function candlesOf(answer: unknown): readonly Candle[] {
  const isCandle = (candle: unknown): boolean =>
    Array.isArray(candle) && Number.isFinite(candle[0]) && candle.length >= 6;
  if (Array.isArray(answer) && answer.every(isCandle)) return answer as Candle[];
  throw new RequestFault("the answer holds no candles", { retryable: true });
}

/** The library's transport failures pass; its refusals (no such symbol, bad request) stay. */
function faultOf(error: unknown, passing: abstract new (...of: never[]) => unknown): RequestFault {
  if (error instanceof RequestFault) return error;
  return new RequestFault(sentence(error), { retryable: error instanceof passing, cause: error });
}

/** Where an exchange loads several kinds of markets, only the spot market's list is asked for. */
function spotOnly(client: Client): void {
  const listing = client.options["fetchMarkets"];
  if (typeof listing !== "object" || listing === null || !("types" in listing)) return;
  if (Array.isArray(listing.types) && listing.types.includes("spot")) {
    client.options["fetchMarkets"] = { ...listing, types: ["spot"] };
  }
}

/** The library's addresses with scheme and host replaced; paths stay. */
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

/** One bounded line of an error: the library quotes whole answers in its messages. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s+/g, " ").slice(0, 200);
}
