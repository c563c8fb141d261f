import { EventEmitter, once } from "node:events";
import { beforeEach, describe, expect, test } from "vitest";
import {
  coinOf,
  openBinance,
  refuse,
  startExchange,
  TODAY,
} from "../../support/exchange-server.ts";
import type { ExchangeServer } from "../../support/exchange-server.ts";

/** A `sleep` in which all callers wait until `wakeAll`, for tests of concurrent waits. */
function heldSleep() {
  const sleepers = new EventEmitter();
  return {
    sleep: async (ms: number): Promise<void> => {
      const woken = once(sleepers, "woken");
      sleepers.emit("asleep", ms);
      await woken;
    },
    /** How long the next one wants to wait. */
    nextMs: async (): Promise<number> => {
      const [ms] = (await once(sleepers, "asleep")) as [number];
      return ms;
    },
    wakeAll: () => void sleepers.emit("woken"),
  };
}

test("a pause requested for one coin holds back the others, whatever the clock is set to", async () => {
  const server = await startExchange();
  const candles = [{ day: TODAY - 1, close: 100 }];
  server.markets = { BTCUSDT: candles, ETHUSDT: candles };
  server.mischief = ({ symbol, count }) =>
    symbol === "BTCUSDT" && count === 1 ? refuse(429, "30") : undefined;
  let now = TODAY * 86_400_000;
  let elapsed = 0;
  const { sleep, nextMs, wakeAll } = heldSleep();
  const clocks = { now: () => now, elapsedMs: () => elapsed };
  const source = await openBinance(server, { ...clocks, sleep });
  const everything = { fromDay: null, toDay: TODAY - 1 };
  const fetched = [source.fetch(coinOf("btc"), everything)];
  expect(await nextMs()).toBeGreaterThanOrEqual(30_000);
  const held = nextMs();
  fetched.push(source.fetch(coinOf("eth"), everything));
  expect(await held).toBe(30_000);
  expect(server.requests.filter((url) => url.includes("ETHUSDT"))).toEqual([]);
  now -= 31 * 86_400_000;
  elapsed += 30_000;
  wakeAll();
  expect((await Promise.all(fetched)).map(({ rows }) => rows.length)).toEqual([1, 1]);
});

describe("an address that is turned away", () => {
  let server: ExchangeServer;
  beforeEach(async () => {
    server = await startExchange();
  });

  const fetchAll = async (
    isRefused: (symbol: string) => boolean,
    { status = 403, coins: count = 40 } = {},
  ) => {
    const tickers = Array.from({ length: count }, (_, index) => `c${index}`);
    const candles = [{ day: TODAY - 1, close: 100 }];
    const markets = tickers.map((ticker) => [`${ticker.toUpperCase()}USDT`, candles]);
    server.markets = Object.fromEntries(markets) as ExchangeServer["markets"];
    server.mischief = ({ symbol }) =>
      symbol !== null && isRefused(symbol) ? refuse(status) : undefined;
    const source = await openBinance(server);
    const range = { fromDay: TODAY - 1, toDay: TODAY - 1 };
    const coins = await Promise.all(tickers.map((it) => source.fetch(coinOf(it), range)));
    return { source, coins };
  };

  test("asks no more than those under way, because going on leads to a ban", async () => {
    const { source, coins } = await fetchAll(() => true);
    expect(server.requests.length).toBeLessThanOrEqual(11);
    expect(coins.at(-1)!.fault?.message).toMatch(/answered 403, it serves no requests from/);
    expect(() => source.conclude()).toThrow("served 0 of 40 board coins, 40 failed");
  });

  test("is not one where two coins are refused", async () => {
    const { source } = await fetchAll((symbol) => symbol === "C3USDT" || symbol === "C20USDT");
    expect(source.conclude()).toMatchObject({ served: 38 });
  });

  test("is not one where coins are not found, of which one in five may be", async () => {
    const ten = { status: 404, coins: 10 };
    const { source } = await fetchAll((symbol) => /^C[01]USDT$/.test(symbol), ten);
    expect(source.conclude()).toMatchObject({ served: 8 });
    const more = await fetchAll((symbol) => /^C[0-2]USDT$/.test(symbol), ten);
    expect(() => more.source.conclude()).toThrow("served 7 of 10 board coins, 3 failed");
  });
});
