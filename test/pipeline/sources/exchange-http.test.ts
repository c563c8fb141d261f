import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";
import {
  CANDLES_BYTES_MAX,
  exchangeFetch,
  MARKETS_BYTES_MAX,
} from "../../../pipeline/sources/exchange-http.ts";
import {
  coinOf,
  exchangeInfo,
  NOW,
  openBinance,
  refuse,
  say,
  stall,
  startExchange,
  TODAY,
  YESTERDAY,
} from "../../support/exchange-server.ts";
import type { ExchangeServer } from "../../support/exchange-server.ts";

const ask = exchangeFetch({
  now: () => NOW,
  onClock() {},
  answerBytesMax: () => MARKETS_BYTES_MAX,
});
let server: ExchangeServer;
beforeEach(async () => {
  server = await startExchange();
});

test("cuts off a body that stalls, even after a garbage collection", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  server.mischief = () => stall;
  const timeout = new AbortController();
  const answer = ask(server.url, { signal: timeout.signal });
  const collecting = setInterval(collect, 50);
  setTimeout(() => timeout.abort(), 1500);
  await expect(answer.finally(() => clearInterval(collecting))).rejects.toThrow("aborted");
});

test.each([
  ["may pass", true, [408, 418, 425, 429, 500, 502, 503, 504, 522]],
  ["is final", false, [402, 403, 404, 405, 406, 410, 413, 414, 431, 451]],
])("a status that %s is a fault, whatever the answer's text", async (_, retryable, statuses) => {
  for (const status of statuses) {
    server.mischief = () => refuse(status, "7");
    const host = `${new URL(server.url).host} answered ${status}`;
    const refuses = status === 403 || status === 451;
    const message = host + (refuses ? ", it serves no requests from this address or country" : "");
    const retryAfterMs = retryable ? 7000 : null;
    await expect(ask(server.url, {})).rejects.toMatchObject({ message, retryable, retryAfterMs });
  }
  server.mischief = () => refuse(400);
  expect((await ask(server.url, {})).status, "for the library to read").toBe(400);
});

test("leaves out a day that is not over by the exchange's own clock", async () => {
  const notices: string[] = [];
  const onNotice = (text: string) => notices.push(text);
  const newest = async (headers: ExchangeServer["headers"]) => {
    server.headers = headers;
    return await (await openBinance(server, { onNotice })).newestDay(YESTERDAY);
  };
  const evening = new Date(TODAY * 86_400_000 - 300_000).toUTCString();
  expect(await newest({ Date: evening })).toBe(YESTERDAY - 1);
  expect(notices).toEqual([
    'by the clock of exchange "binance" 2024-10-03 is not over: it is left out',
  ]);
  expect(await newest({ Date: evening, Age: "300" })).toBe(YESTERDAY); // it was in a cache since
  expect(await newest({ Date: evening, Age: "299" })).toBe(YESTERDAY - 1);
  expect(await newest({ Date: evening, Age: "long" })).toBe(YESTERDAY - 1);
  expect(await newest({ Date: new Date(NOW).toUTCString() })).toBe(YESTERDAY);
  expect(await newest({ Date: "some time ago" })).toBe(YESTERDAY);
  expect(await newest({ Date: "0" }), "no year").toBe(YESTERDAY);
  expect(await newest({ Date: evening.replace("GMT", "") }), "no zone").toBe(YESTERDAY);
  expect(notices).toHaveLength(3);
});

test.each([
  ["has no time", ""],
  ["has an earlier one, as from a cache", new Date(NOW - 2 * 86_400_000).toUTCString()],
])("keeps what an exchange's clock said when a later answer %s", async (_, later) => {
  server.markets = { BTCUSDT: [{ day: YESTERDAY - 1, close: 100 }] };
  const newest = async (ms: number) => {
    server.headers = { Date: new Date(ms).toUTCString() };
    const source = await openBinance(server);
    server.headers = { Date: later };
    const btc = await source.fetch(coinOf("btc"), { fromDay: YESTERDAY, toDay: YESTERDAY });
    expect(btc.rows).toHaveLength(1);
    return await source.newestDay(YESTERDAY);
  };
  expect(await newest(NOW)).toBe(YESTERDAY);
  expect(await newest(TODAY * 86_400_000 - 300_000)).toBe(YESTERDAY - 1);
});

test("takes a long list of markets, and no such page of candles", async () => {
  const blanks = " ".repeat(CANDLES_BYTES_MAX);
  const listing = JSON.stringify(exchangeInfo({ BTCUSDT: [] }));
  server.mischief = ({ path }) => say(blanks + (path.endsWith("/klines") ? "[]" : listing));
  const source = await openBinance(server);
  const asked = server.requests.length;
  const { fault } = await source.fetch(coinOf("btc"), { fromDay: YESTERDAY, toDay: YESTERDAY });
  expect(fault?.message).toContain(`answered 200 with more than ${CANDLES_BYTES_MAX} bytes`);
  expect(server.requests.length - asked, "it is not requested again").toBe(1);
});

test("reckons with the exchange's clock as it goes on", async () => {
  let now = TODAY * 86_400_000 - 2000;
  server.headers = { Date: new Date(now).toUTCString() };
  const source = await openBinance(server, { now: () => now });
  now += 10_000; // midnight has passed since it answered
  expect(await source.newestDay(YESTERDAY)).toBe(YESTERDAY);
  expect(await source.newestDay(YESTERDAY - 30), "no later than asked").toBe(YESTERDAY - 30);
});
