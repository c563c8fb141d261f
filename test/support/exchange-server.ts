import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { BoardCoin } from "../../pipeline/board.ts";
import { openExchange, type ExchangeOptions } from "../../pipeline/sources/exchange.ts";
import type { PriceSource } from "../../pipeline/sources/source.ts";

/** A daily candle of the made-up exchange. Numbers are sent as text, as Binance does. */
export interface ServedCandle {
  readonly day: number;
  readonly close: number;
}

/** What to do instead of answering a request. Undefined answers it. */
export type Mischief = (request: {
  readonly symbol: string | null;
  readonly path: string;
  /** Requests for this path and symbol so far, including this one. */
  readonly count: number;
}) => ((response: ServerResponse) => void) | undefined;

export interface ExchangeServer {
  readonly url: string;
  /** Path and query of every request, oldest first. */
  readonly requests: readonly string[];
  /** What is done with the next requests. */
  mischief: Mischief;
  /** Candles by market, such as BTCUSDT; markets that are missing here are unknown. */
  markets: Record<string, readonly ServedCandle[]>;
  /** Header fields of every answer, added to the usual ones or replacing them. */
  headers: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;

/**
 * Starts a server for the running test that speaks the part of the spot protocol of Binance that daily candles need.
 */
export async function startExchange(): Promise<ExchangeServer> {
  const requests: string[] = [];
  const counts = new Map<string, number>();
  const state = {
    requests,
    mischief: (() => undefined) as Mischief,
    markets: {} as ExchangeServer["markets"],
    headers: {} as ExchangeServer["headers"],
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    requests.push(request.url ?? "/");
    for (const [name, value] of Object.entries(state.headers)) response.setHeader(name, value);
    const symbol = searchParams.get("symbol");
    const counted = `${pathname} ${symbol}`;
    const count = (counts.get(counted) ?? 0) + 1;
    counts.set(counted, count);
    const instead = state.mischief({ symbol, path: pathname, count });
    if (instead !== undefined) instead(response);
    else if (pathname === "/api/v3/exchangeInfo") json(response, 200, exchangeInfo(state.markets));
    else if (pathname === "/api/v3/klines") klines(response, searchParams, state.markets);
    else json(response, 404, { code: -1, msg: `no such path ${pathname}` });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => stop(server));
  return Object.assign(state, { url: `http://127.0.0.1:${port}` });
}

/** Answers with a status, and with Retry-After if given. */
export function refuse(status: number, retryAfter?: string): (response: ServerResponse) => void {
  return (response) => {
    if (retryAfter !== undefined) response.setHeader("Retry-After", retryAfter);
    json(response, status, { code: -1003, msg: "Too many requests." });
  };
}

/** Answers 200 with this text. */
export function say(text: string): (response: ServerResponse) => void {
  return (response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(text);
  };
}

/** Sends the header and half of a body, then nothing more. */
export function stall(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.write('[[1577836800000,"1","1"');
}

/** Closes the connection without an answer. */
export function hangUp(response: ServerResponse): void {
  response.socket?.destroy();
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

function klines(
  response: ServerResponse,
  query: URLSearchParams,
  markets: ExchangeServer["markets"],
): void {
  const candles = markets[query.get("symbol") ?? ""];
  if (candles === undefined) return json(response, 400, { code: -1121, msg: "Invalid symbol." });
  if (query.get("interval") !== "1d") {
    return json(response, 400, { code: -1120, msg: "Invalid interval." });
  }
  const since = Number(query.get("startTime") ?? 0);
  const limit = Math.min(1000, Number(query.get("limit") ?? 500));
  const wanted = candles.filter(({ day }) => day * DAY_MS >= since);
  return json(response, 200, wanted.slice(0, limit).map(kline));
}

function kline({ day, close }: ServedCandle): unknown[] {
  const start = day * DAY_MS;
  const text = (value: number) => value.toFixed(8);
  return [
    start,
    text(close - 0.5),
    text(close + 1),
    text(close - 1),
    text(close),
    text(1000 + (day % 100)),
    start + DAY_MS - 1,
    "0.0",
    1,
    "0.0",
    "0.0",
    "0",
  ];
}

/** What `/api/v3/exchangeInfo` says of these markets. */
export function exchangeInfo(markets: ExchangeServer["markets"]): unknown {
  return {
    timezone: "UTC",
    rateLimits: [],
    exchangeFilters: [],
    symbols: Object.keys(markets).map((symbol) => ({
      symbol,
      status: "TRADING",
      baseAsset: symbol.slice(0, -4),
      baseAssetPrecision: 8,
      quoteAsset: symbol.slice(-4),
      quotePrecision: 8,
      quoteAssetPrecision: 8,
      orderTypes: ["LIMIT", "MARKET"],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: false,
      permissions: ["SPOT"],
      filters: [],
    })),
  };
}

/** Closes a server with its connections. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The current day of these tests, 2024-10-04, and an instant in its morning. */
export const TODAY = 20_000;
export const YESTERDAY = TODAY - 1;
export const NOW = TODAY * DAY_MS + 5 * 3_600_000;

/** The source of prices that reads this server as Binance. */
export function openBinance(
  server: ExchangeServer,
  more: Partial<ExchangeOptions> = {},
): Promise<PriceSource> {
  return openExchange("binance", { now: () => NOW, exchangeUrl: server.url, ...more });
}

/** A coin of the board, priced in Tether. */
export function coinOf(ticker: string): BoardCoin {
  return { ticker, name: ticker, symbol: `${ticker.toUpperCase()}/USDT` };
}
