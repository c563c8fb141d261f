import { beforeEach, describe, expect, test } from "vitest";
import { applyPriceRules } from "../../../pipeline/price-rules.ts";
import { openExchange, type ExchangeOptions } from "../../../pipeline/sources/exchange.ts";
import { InputError } from "../../../pipeline/sources/input-error.ts";
import type { SourceCoin } from "../../../pipeline/price-rules/raw-row.ts";
import {
  coinOf,
  hangUp,
  NOW,
  openBinance,
  refuse,
  say,
  stall,
  startExchange,
  TODAY,
  YESTERDAY,
} from "../../support/exchange-server.ts";
import type { ExchangeServer, ServedCandle } from "../../support/exchange-server.ts";
import { dateOfDay } from "../../../quant/calendar.ts";
import { span } from "../../support/prices-file-rows.ts";

const [btc, eth, sol] = [coinOf("btc"), coinOf("eth"), coinOf("sol")];

/** Candles from `first` to today, whose own is still incomplete. */
const candles = (first: number, last = TODAY): ServedCandle[] =>
  span(first, last).map((day) => ({ day, close: 100 + (day % 50) }));

let server: ExchangeServer;
let waits: number[];
/** The clock, which moves only by waiting. */
let now: number;
let notices: string[];

beforeEach(async () => {
  server = await startExchange();
  waits = [];
  now = NOW;
  notices = [];
});

function open(more: Partial<ExchangeOptions> = {}) {
  return openBinance(server, {
    now: () => now,
    onNotice: (message) => notices.push(message),
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    ...more,
  });
}

const everything = { fromDay: null, toDay: YESTERDAY };
const klineRequests = () => server.requests.filter((url) => url.includes("/klines"));
const daysOf = ({ rows }: SourceCoin) => rows.map(({ day }) => day);

describe("a coin that had another symbol", () => {
  const until = YESTERDAY - 100;
  const pol = { ...coinOf("pol"), earlier: [{ symbol: "MATIC/USDT", until, factor: 10 }] };
  const asked = (symbol: string) => klineRequests().filter((url) => url.includes(symbol)).length;

  test("has one history of both, and asks for the earlier one no longer than it must", async () => {
    server.markets = { MATICUSDT: candles(17_600, until + 5), POLUSDT: candles(until - 2) };
    const source = await open();
    const coin = await source.fetch(pol, everything);
    expect(daysOf(coin)).toEqual(span(17_600, YESTERDAY));
    const closes = [until, until + 1].map((day) => coin.rows.find((row) => row.day === day)?.close);
    expect(closes).toEqual([10 * (100 + (until % 50)), 100 + ((until + 1) % 50)]);
    const date = dateOfDay(until);
    expect(source.conclude().notices).toEqual([
      { ticker: "pol", text: `days up to ${date} are those of MATIC/USDT, prices times 10` },
    ]);
    const before = asked("MATICUSDT");
    await source.fetch(pol, { fromDay: until + 8, toDay: YESTERDAY });
    expect(asked("MATICUSDT")).toBe(before);
    const week = await source.fetch(pol, { fromDay: until + 3, toDay: YESTERDAY });
    expect(daysOf(week)).toEqual(span(until - 4, YESTERDAY));
    expect(week.rows[4]?.close).toBe(closes[0]);
  });

  test.each<[string, Record<string, ServedCandle[]>, string]>([
    ["does not list it", {}, "binance does not list MATIC/USDT"],
    ["has no candle of it", { MATICUSDT: [] }, "it has no day up to then"],
  ])("begins with its own where the exchange %s, and says so", async (_, markets, why) => {
    server.markets = { ...markets, POLUSDT: candles(until - 2) };
    const source = await open();
    expect(daysOf(await source.fetch(pol, everything))).toEqual(span(until - 2, YESTERDAY));
    expect(source.conclude().notices).toEqual([
      { ticker: "pol", text: `nothing of MATIC/USDT up to ${dateOfDay(until)}: ${why}` },
    ]);
  });

  test("is fetched another night where the earlier one fails", async () => {
    server.markets = {
      MATICUSDT: candles(17_600, until),
      POLUSDT: candles(until),
      BTCUSDT: candles(19_000),
    };
    server.mischief = ({ symbol }) => (symbol === "MATICUSDT" ? refuse(400) : undefined);
    const source = await open();
    const coin = await source.fetch(pol, everything);
    expect([coin.fault?.reason, coin.rows]).toEqual(["fetch_failed", []]);
  });
});

describe("daily candles", () => {
  test("come over all pages, without the current day", async () => {
    server.markets = { BTCUSDT: candles(17_600) };
    const source = await open();
    const coin = await source.fetch(btc, everything);
    expect(daysOf(coin)).toEqual(span(17_600, YESTERDAY));
    expect(coin.rows[0]).toEqual({
      day: 17_600,
      open: 99.5,
      high: 101,
      low: 99,
      close: 100,
      volume: 1000,
      line: 1,
    });
    expect(coin).toMatchObject({ fault: null, faults: [], whole: false });
    expect(klineRequests(), "three pages, and one before the first day").toHaveLength(4);
    expect(source.conclude()).toMatchObject({ served: 1 });
    expect(source).toMatchObject({ name: "exchange:binance", synthetic: false });
  });

  test("of a second run are only the new days and a few known ones", async () => {
    server.markets = { BTCUSDT: candles(17_600), ETHUSDT: candles(19_000) };
    const source = await open();
    const horizon = { asOf: YESTERDAY - 1, today: null };
    const first = await source.fetch(btc, { fromDay: null, toDay: horizon.asOf });
    const previous = applyPriceRules({ coin: first, horizon });
    const before = klineRequests().length;

    server.markets["BTCUSDT"] = candles(17_600).map((candle) =>
      candle.day === YESTERDAY - 3 ? { ...candle, close: 777 } : candle,
    );
    const second = await source.fetch(btc, { fromDay: YESTERDAY, toDay: YESTERDAY });
    expect(klineRequests().length - before).toBe(1);
    expect(daysOf(second)).toEqual(span(YESTERDAY - 7, YESTERDAY));
    const next = applyPriceRules({
      coin: second,
      previous,
      horizon: { asOf: YESTERDAY, today: TODAY },
    });
    expect(Array.from(next.bars.day)).toEqual(span(17_600, YESTERDAY));
    expect(next.bars.close[YESTERDAY - 3 - 17_600]).toBe(777);
    expect(next.quality).toMatchObject({ revisedDays: 1, carried: 2392, accepted: 8 });
  });
});

describe("a passing fault", () => {
  beforeEach(() => {
    server.markets = { BTCUSDT: candles(19_990) };
  });
  const first = (mischief: ReturnType<typeof refuse>) => {
    server.mischief = ({ symbol, count }) =>
      symbol === "BTCUSDT" && count === 1 ? mischief : undefined;
  };

  test.each([
    ["500", refuse(500), "127.0.0.1"],
    [
      "503 without a body",
      (response: Parameters<typeof hangUp>[0]) => response.writeHead(503).end(),
      "503",
    ],
    ["broken JSON", say('[[1577836800000,"1","2"'), "not JSON"],
    ["a page of HTML", say("<html>maintenance</html>"), "not JSON"],
    ["a closed connection", hangUp, "fetch failed"],
  ])("such as %s is tried again", async (_, mischief, said) => {
    first(mischief);
    const coin = await (await open()).fetch(btc, everything);
    expect(daysOf(coin)).toEqual(span(19_990, YESTERDAY));
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(250);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(said);
  });

  test.each(["{}", "[]", "[[null]]", '[[null,"1","2","1","2","5"]]', '{"msg":"busy"}'])(
    "such as %s in place of candles is not taken for an empty history",
    async (text) => {
      first(say(text));
      const coin = await (await open()).fetch(btc, everything);
      expect(daysOf(coin)).toEqual(span(19_990, YESTERDAY));
    },
  );

  test("such as a body that stalls is cut off and retried", async () => {
    first(stall);
    const coin = await (await open({ timeoutMs: 150 })).fetch(btc, everything);
    expect(daysOf(coin)).toEqual(span(19_990, YESTERDAY));
    expect(notices[0]).toMatch(/timed out/);
  });

  test.each([
    [429, "7", 7000],
    [418, "120", 120_000],
    [503, new Date(NOW + 9000).toUTCString(), 9000],
  ])("%d waits as long as Retry-After %s asks", async (status, field, expectedMs) => {
    first(refuse(status, field));
    const coin = await (await open()).fetch(btc, everything);
    expect(daysOf(coin)).toHaveLength(10);
    expect(waits[0]).toBeGreaterThanOrEqual(expectedMs);
    expect(waits[0]).toBeLessThan(expectedMs + 200);
  });

  test("that does not pass ends after a limited number of attempts", async () => {
    server.markets["ETHUSDT"] = candles(19_990);
    server.mischief = ({ symbol }) => (symbol === "BTCUSDT" ? refuse(500) : undefined);
    const source = await open();
    const [failed, sound] = await Promise.all([
      source.fetch(btc, everything),
      source.fetch(eth, everything),
    ]);
    expect(klineRequests().filter((url) => url.includes("BTCUSDT"))).toHaveLength(6);
    expect(failed).toMatchObject({ rows: [], fault: { reason: "fetch_failed" } });
    expect(failed.fault!.message).toMatch(/^BTC\/USDT: 127\.0\.0\.1:\d+ answered 500$/);
    expect(sound.rows).toHaveLength(10);
    for (let index = 1; index < waits.length; index++) {
      expect(waits[index]).toBeGreaterThan(waits[index - 1]!);
    }
  });

  test("that asks for too long a pause ends the run's requests at once", async () => {
    server.markets["ETHUSDT"] = candles(19_990);
    first(refuse(418, "86400"));
    const source = await open();
    const coin = await source.fetch(btc, everything);
    expect(coin.fault?.message).toContain("answered 418");
    const asked = server.requests.length;
    expect((await source.fetch(eth, everything)).fault?.message).toContain("answered 418");
    expect(server.requests).toHaveLength(asked);
    expect(waits).toEqual([]);
    expect(() => source.conclude()).toThrow(InputError);
  });
});

describe("one coin's fault", () => {
  test("does not lose other coins' prices", async () => {
    const tickers = Array.from({ length: 10 }, (_, index) => `c${index}`);
    server.markets = Object.fromEntries(
      tickers.map((ticker) => [`${ticker.toUpperCase()}USDT`, candles(19_990)]),
    );
    server.mischief = ({ symbol }) =>
      symbol === "C3USDT" ? say('{"code":-1121,"msg":"Invalid symbol."}') : undefined;
    const source = await open();
    const coins = await Promise.all(tickers.map((it) => source.fetch(coinOf(it), everything)));
    expect(coins.map(({ rows }) => rows.length)).toEqual([10, 10, 10, 0, 10, 10, 10, 10, 10, 10]);
    const summary = source.conclude();
    expect(summary).toMatchObject({ served: 9, failed: [{ ticker: "c3" }] });
    expect(waits).toEqual([]);
  });

  test("of not being listed is recorded without a request, and is not a failure", async () => {
    server.markets = { BTCUSDT: candles(19_990) };
    const source = await open();
    await source.fetch(btc, everything);
    const asked = server.requests.length;
    const coin = await source.fetch(sol, everything);
    expect(coin.fault).toEqual({
      reason: "symbol_unknown",
      message: "binance does not list SOL/USDT",
    });
    expect(server.requests).toHaveLength(asked);
    expect(source.conclude()).toMatchObject({ served: 1, missing: ["sol"], failed: [] });
  });

  test("of an empty history is a failure, because a listed coin has candles", async () => {
    server.markets = { BTCUSDT: candles(19_990), ETHUSDT: [] };
    const source = await open();
    await source.fetch(btc, everything);
    expect((await source.fetch(eth, everything)).fault).toEqual({
      reason: "fetch_failed",
      message: "ETH/USDT: no candle was sent",
    });
    expect(() => source.conclude()).toThrow(/served 1 of 2 board coins, 1 failed/);
  });
});

describe("an exchange", () => {
  test("of an unknown name gets the nearest names suggested", async () => {
    const attempt = openExchange("binanse", { now: () => NOW });
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(
      /^exchange "binanse" is unknown; did you mean "binance" or /,
    );
    const far = openExchange("constructor", { now: () => NOW });
    await expect(far).rejects.toThrow(/^exchange "constructor" is unknown/);
    const none = openExchange("qqqqqqqqqqqq", { now: () => NOW });
    await expect(none).rejects.toThrow(/^exchange "qqqqqqqqqqqq" is unknown$/);
    const shouted = openExchange("BINANCE", { now: () => NOW });
    await expect(shouted).rejects.toThrow('did you mean "binance" or ');
  });

  test("that does not list its markets is one clear error", async () => {
    server.mischief = ({ path }) => (path.endsWith("exchangeInfo") ? refuse(451) : undefined);
    await expect(open()).rejects.toThrow(
      /^exchange "binance" does not list its markets: 127\.0\.0\.1:\d+ answered 451, it serves no requests from this address or country$/,
    );
    expect(server.requests).toHaveLength(1);
  });

  test("is only queried for its spot markets, again after a passing fault", async () => {
    server.markets = { BTCUSDT: candles(19_990) };
    server.mischief = ({ count }) => (count === 1 ? refuse(502) : undefined);
    await open();
    expect(server.requests.map((url) => url.split("?")[0])).toEqual([
      "/api/v3/exchangeInfo",
      "/api/v3/exchangeInfo",
    ]);
  });

  test("at an invalid address is refused", async () => {
    await expect(open({ exchangeUrl: "localhost:9" })).rejects.toThrow(
      'exchange address: expected an http or https URL, got "localhost:9"',
    );
  });
});
