import { expect, test } from "vitest";
import { openExchange } from "../../../pipeline/sources/exchange.ts";
import { coinOf, refuse, startExchange } from "../../support/exchange-server.ts";
import { heldSleep } from "../../support/held-sleep.ts";

const TODAY = 20_000;

test("a pause requested for one coin holds back the others, whatever the clock is set to", async () => {
  const server = await startExchange();
  const candles = [{ day: TODAY - 1, close: 100 }];
  server.markets = { BTCUSDT: candles, ETHUSDT: candles };
  server.mischief = ({ symbol, count }) =>
    symbol === "BTCUSDT" && count === 1 ? refuse(429, "30") : undefined;
  let now = TODAY * 86_400_000;
  let elapsed = 0;
  const { sleep, nextMs, wakeAll } = heldSleep();
  try {
    const exchangeUrl = server.url;
    const clocks = { now: () => now, elapsedMs: () => elapsed };
    const source = await openExchange("binance", { ...clocks, seed: 1, exchangeUrl, sleep });
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
  } finally {
    await server.close();
  }
});
