import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openExchange } from "../../../pipeline/sources/exchange.ts";
import { coinOf } from "../../support/exchange-server.ts";
import { span } from "../../support/prices-file-rows.ts";

const DAY_MS = 86_400_000;
const TODAY = 20_000;
const YESTERDAY = TODAY - 1;
const LISTED = 18_950;
const WINDOW_DAYS = 300;

let server: Server;
let url: string;

/**
 * The part of Coinbase Exchange's protocol that daily candles need. A request names its first and its last
 * instant, newest candles come first, and more than 300 candles at once are refused.
 */
beforeEach(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const [start, end] = ["start", "end"].map(
      (name) => Date.parse(searchParams.get(name) ?? "") / DAY_MS,
    );
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (pathname === "/products") return answer(200, [{ id: "BTC-USDT", status: "online" }]);
    if (!pathname.endsWith("/candles")) return answer(200, []);
    if (!(end! - start! < WINDOW_DAYS)) return answer(400, { message: "exceeds 300" });
    const days = span(Math.max(start!, LISTED), Math.min(end!, TODAY)).toReversed();
    return answer(
      200,
      days.map((day) => [(day * DAY_MS) / 1000, 9, 12, 10, 11, 5]),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

test("an exchange that answers by windows of days loses none behind an empty one", async () => {
  const now = () => TODAY * DAY_MS;
  const source = await openExchange("coinbaseexchange", { now, seed: 1, exchangeUrl: url });
  const btc = await source.fetch(coinOf("btc"), { fromDay: 18_307, toDay: YESTERDAY });
  expect(btc.fault).toBeNull();
  const days = btc.rows.map(({ day }) => day).toSorted((one, other) => one - other);
  expect(days).toEqual(span(LISTED, YESTERDAY));
  expect(btc.rows[0]).toMatchObject({ open: 10, high: 12, low: 9, close: 11, volume: 5 });
});

test("a coin that is listed there after the wanted days is no failure", async () => {
  const now = () => TODAY * DAY_MS;
  const source = await openExchange("coinbaseexchange", { now, seed: 1, exchangeUrl: url });
  const btc = await source.fetch(coinOf("btc"), { fromDay: 18_607, toDay: 18_700 });
  expect(btc).toMatchObject({ rows: [], fault: null });
  expect(source.conclude()).toMatchObject({ served: 1, failed: [] });
});

test("a coin whose wanted days are long known is no failure, although nothing is requested", async () => {
  const now = () => TODAY * DAY_MS;
  const source = await openExchange("coinbaseexchange", { now, seed: 1, exchangeUrl: url });
  const btc = await source.fetch(coinOf("btc"), { fromDay: YESTERDAY, toDay: YESTERDAY - 30 });
  expect(btc).toMatchObject({ rows: [], fault: null });
  expect(source.conclude()).toMatchObject({ served: 1, failed: [] });
});
