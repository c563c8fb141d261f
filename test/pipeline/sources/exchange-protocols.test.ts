import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { openExchange } from "../../../pipeline/sources/exchange.ts";
import type { SourceCoin } from "../../../pipeline/price-rules/raw-row.ts";
import type { PriceSource } from "../../../pipeline/sources/source.ts";
import { coinOf, NOW, stop, TODAY, YESTERDAY } from "../../support/exchange-server.ts";
import { span } from "../../support/prices-file-rows.ts";

/**
 * How real exchanges differ from Binance's protocol, as their documentation has it: each server here speaks
 * the part of one that daily candles need.
 */
const DAY_MS = 86_400_000;
const BTC = coinOf("btc");
const EVERYTHING = { fromDay: null, toDay: YESTERDAY };

/** Answers the query of a path, or undefined for what the exchange does not have. */
type Protocol = (path: string, query: URLSearchParams) => unknown;

let requests: string[] = [];

async function open(name: string, protocol: Protocol): Promise<PriceSource> {
  requests = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    requests.push(request.url ?? "/");
    const answer = protocol(pathname, searchParams);
    const body = gzipSync(JSON.stringify(answer ?? { error: "no such path" }));
    response.writeHead(answer === undefined ? 404 : 200, {
      "Content-Type": "application/json",
      "Content-Encoding": "gzip",
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => stop(server));
  const { port } = server.address() as AddressInfo;
  return openExchange(name, {
    now: () => NOW,
    exchangeUrl: `http://127.0.0.1:${port}`,
    sleep: () => Promise.resolve(),
  });
}

const daysOf = ({ rows }: SourceCoin) => rows.map(({ day }) => day);
const within = (first: number, last: number, listed: number) =>
  span(Math.max(first, listed), Math.min(last, TODAY));

test("MEXC, which looks at 500 days where 1,000 are requested: a coin of any age has all", async () => {
  let listed = 0;
  const contract = { symbol: "BTC_USDT", baseCoin: "BTC", quoteCoin: "USDT", settleCoin: "USDT" };
  const source = await open("mexc", (path, query) => {
    if (path === "/api/v3/exchangeInfo") {
      const market = { symbol: "BTCUSDT", status: "1", baseAsset: "BTC", quoteAsset: "USDT" };
      return { symbols: [{ ...market, isSpotTradingAllowed: true }] };
    }
    if (path.endsWith("/contract/detail")) return { success: true, code: 0, data: [contract] };
    if (path !== "/api/v3/klines") return undefined;
    const [start, end, limit] = ["startTime", "endTime", "limit"].map((name) =>
      Number(query.get(name)),
    );
    const last = Math.min(Math.floor(end! / DAY_MS), start! / DAY_MS + 499);
    const days = within(start! / DAY_MS, last, listed).slice(0, Math.min(500, limit!));
    return days.map((day) => [day * DAY_MS, "10", "12", "9", "11", "5", 0, "55"]);
  });
  for (listed of [17_600, 18_400, 19_300, 19_700, 19_990]) {
    const coin = await source.fetch(BTC, EVERYTHING);
    expect(coin.fault).toBeNull();
    expect(daysOf(coin)).toEqual(span(listed, YESTERDAY));
  }
  const swap = await source.fetch({ ...BTC, symbol: "BTC/USDT:USDT" }, EVERYTHING);
  expect(swap.fault, "its volume would be in contracts").toEqual({
    reason: "symbol_unknown",
    message: "mexc does not list BTC/USDT:USDT as a spot market",
  });
});

describe("OKX, which sends the newest candles of a window first", () => {
  const protocol =
    (pageMax: number): Protocol =>
    (path, query) => {
      if (path === "/api/v5/public/instruments") {
        const names = { instId: "BTC-USDT", baseCcy: "BTC", quoteCcy: "USDT" };
        const data = [{ ...names, instType: "SPOT", state: "live", tickSz: "0.1", lotSz: "1" }];
        return { code: "0", data };
      }
      if (!path.endsWith("candles")) return undefined;
      expect(query.get("bar"), "days of UTC, not of Hong Kong").toBe("1Dutc");
      const [before, after, limit] = ["before", "after", "limit"].map((name) =>
        Number(query.get(name)),
      );
      const days = within(Math.ceil((before! + 1) / DAY_MS), Math.ceil(after! / DAY_MS) - 1, 18_950)
        .toReversed()
        .slice(0, Math.min(limit!, pageMax));
      const row = (day: number) => [`${day * DAY_MS}`, "10", "12", "9", "11", "5", "55", "55", "1"];
      return { code: "0", msg: "", data: days.map(row) };
    };

  test.each([300, 100])("loses no day where a page holds %i", async (pageMax) => {
    const source = await open("okx", protocol(pageMax));
    const coin = await source.fetch(BTC, EVERYTHING);
    expect(coin.fault).toBeNull();
    expect(daysOf(coin)).toEqual(span(18_950, YESTERDAY));
    expect(coin.rows[0], "volume in coins").toMatchObject({ close: 11, volume: 5 });
  });
});

describe("Kraken, which has the newest 720 candles only and refuses with a 200", () => {
  let busy = 0;
  /** `since` is exclusive, and the last candle is that of the current day. */
  const protocol: Protocol = (path, query) => {
    if (path === "/0/public/AssetPairs") {
      const names = { altname: "XBTUSDT", wsname: "XBT/USDT", base: "XXBT", quote: "USDT" };
      const sizes = { pair_decimals: 1, lot_decimals: 8, status: "online" };
      return { error: [], result: { XBTUSDT: { ...names, ...sizes } } };
    }
    if (path !== "/0/public/OHLC") return { error: [], result: {} };
    if (busy-- > 0) return { error: ["EGeneral:Too many requests"] };
    const after = Number(query.get("since")) / 86_400;
    const days = span(TODAY - 719, TODAY).filter((day) => day > after || day === TODAY);
    const row = (day: number) => [day * 86_400, "10", "12", "9", "11", "10.5", "5", 3];
    return { error: [], result: { XBTUSDT: days.map(row), last: YESTERDAY * 86_400 } };
  };

  test("gives those, again after too many requests, and a second night continues them", async () => {
    busy = 1;
    const source = await open("kraken", protocol);
    const coin = await source.fetch(BTC, EVERYTHING);
    expect(daysOf(coin)).toEqual(span(TODAY - 719, YESTERDAY));
    expect(coin.rows[0]).toMatchObject({ volume: 5 });
    expect(requests.filter((url) => url.includes("OHLC")).length).toBe(3);
    const next = await source.fetch(BTC, { fromDay: YESTERDAY, toDay: YESTERDAY });
    expect(daysOf(next)).toEqual(span(YESTERDAY - 7, YESTERDAY));
  });
});

describe("HTX, whose days begin at 16:00 UTC", () => {
  const protocol: Protocol = (path, query) => {
    if (path === "/v1/common/symbols") {
      const names = { symbol: "btcusdt", "base-currency": "btc", "quote-currency": "usdt" };
      return { status: "ok", data: [{ ...names, state: "online" }] };
    }
    if (path === "/v2/reference/currencies") return { code: 200, data: [] };
    if (!path.includes("history")) return undefined;
    const from = Math.ceil((Number(query.get("from")) - 57_600) / 86_400);
    const row = (day: number) => ({
      id: day * 86_400 + 57_600,
      open: 10,
      close: 11,
      low: 9,
      high: 12,
      amount: 5,
      vol: 55,
      count: 3,
    });
    const data = within(from, TODAY, 19_900).slice(0, Number(query.get("size")));
    return { status: "ok", ts: 1, data: data.map(row) };
  };

  test("is reported for each coin, and only spot markets are requested", async () => {
    const source = await open("htx", protocol);
    expect(requests.filter((url) => url.includes("contract"))).toEqual([]);
    const message =
      "BTC/USDT: no daily candle begins at midnight UTC, the first one begins at 16:00, so they cover other days";
    const coin = await source.fetch(BTC, EVERYTHING);
    expect(coin).toMatchObject({
      rows: [],
      faults: [],
      fault: { reason: "fetch_failed", message },
    });
    expect(() => source.conclude()).toThrow(message);
  });
});

describe("Coinbase, which refuses a window of more than 300 days", () => {
  const LISTED = 18_950;
  const protocol: Protocol = (path, query) => {
    if (path === "/products") return [{ id: "BTC-USDT", status: "online" }];
    if (!path.endsWith("/candles")) return [];
    const [start, end] = ["start", "end"].map((name) => Date.parse(query.get(name) ?? "") / DAY_MS);
    if (!(end! - start! < 300)) return undefined;
    const days = within(start!, end!, LISTED).toReversed();
    return days.map((day) => [day * 86_400, 9, 12, 10, 11, 5]);
  };

  test.each([
    ["loses no day after an empty window", 18_307, YESTERDAY, span(LISTED, YESTERDAY)],
    ["takes a coin that was listed after the wanted days for served", 18_607, 18_700, []],
    ["takes a coin whose wanted days are long known for served", YESTERDAY, YESTERDAY - 30, []],
  ])("%s", async (_, fromDay, toDay, days) => {
    const source = await open("coinbaseexchange", protocol);
    const coin = await source.fetch(BTC, { fromDay, toDay });
    expect(coin.fault).toBeNull();
    expect(daysOf(coin).toSorted((one, other) => one - other)).toEqual(days);
    const bar = { open: 10, high: 12, low: 9, close: 11, volume: 5 };
    for (const row of coin.rows) expect(row).toMatchObject(bar);
    expect(source.conclude()).toMatchObject({ served: 1, failed: [] });
  });
});
