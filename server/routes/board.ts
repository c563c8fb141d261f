import { distance } from "fastest-levenshtein";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { DomainError, type DomainErrorCode } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { oncePerObject, type SnapshotData } from "./snapshot-data.ts";

const OFFERED_MAX = 3;
/** The most edits from a typing error to a ticker. With more, it is another word. */
const EDITS_MAX = 2;
/** Longer than any ticker. The distance to an even longer text is not needed. */
const COMPARED_MAX = 20;
/** What follows a ticker in the name of a market, such as BTCUSDT, BTC-USD or BTC/USDC. */
const QUOTED_IN = /^[-_/]?usd[a-z]?$/;

const boardOf = oncePerObject(
  ({ coins }: SnapshotData) => new Map(coins.map((coin) => [coin.ticker, coin])),
);

/** A coin on the board. Any other ticker throws an error that suggests the nearest ones. */
export function coinOf(snapshot: SnapshotData, ticker: string): SnapshotCoin {
  const coin = boardOf(snapshot).get(ticker);
  if (coin !== undefined) return coin;
  throw new DomainError("unknown_coin", unknownCoin(ticker, snapshot.coins));
}

function unknownCoin(ticker: string, coins: readonly SnapshotCoin[]): string {
  const typed = ticker.trim().toLowerCase().slice(0, COMPARED_MAX);
  const fault = `coin ${quoted(ticker)} is not on the board`;
  if (ticker.includes(",")) return `${fault}: it is one coin a call; GET /history takes several`;
  if (coins.some((coin) => coin.ticker === typed) && typed === ticker.toLowerCase()) {
    return `${fault}: tickers are lower-case, ask for "${typed}"`;
  }
  const nearest = nearestTickers(typed, coins).map((known) => `"${known}"`);
  if (nearest.length > 0) return `${fault}; nearest: ${nearest.join(", ")}`;
  return `${fault}; GET /signals without a coin lists all ${coins.length}`;
}

/** The ticker of the coin that the text names in another way, or else the tickers that the fewest edits lead to. */
function nearestTickers(typed: string, coins: readonly SnapshotCoin[]): readonly string[] {
  const named = coins.filter((coin) => isAnotherNameOf(coin, typed)).map((coin) => coin.ticker);
  if (named.length > 0) return named.slice(0, OFFERED_MAX);
  return coins
    .map(({ ticker }) => ({ ticker, edits: distance(typed, ticker) }))
    .filter(({ ticker, edits }) => edits <= EDITS_MAX && edits < ticker.length)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, OFFERED_MAX)
    .map(({ ticker }) => ticker);
}

/** Whether the text is the coin's name ("bitcoin") or its market in dollars ("btcusdt"). */
function isAnotherNameOf({ ticker, name }: SnapshotCoin, typed: string): boolean {
  if (typed === name.toLowerCase()) return true;
  return typed.startsWith(ticker) && QUOTED_IN.test(typed.slice(ticker.length));
}

/** The first and last day that a date may fall on: those of a coin, or without a ticker those of the board. */
export interface History {
  readonly ticker?: string;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** A parameter that is a date, and the error code for a day that the history does not have. */
interface DateParameter {
  readonly name: string;
  readonly code: DomainErrorCode;
}

export const START_DATE: DateParameter = { name: "start_date", code: "start_date_out_of_range" };
const END_DATE: DateParameter = { name: "end_date", code: "end_date_out_of_range" };

/** The window that two dates bound within a history. A date left out is its first or last day. Throws DomainError. */
export function windowWithin(
  history: History,
  dates: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
): { readonly startDay: number; readonly endDay: number } {
  const { start_date: start, end_date: end } = dates;
  const startDay = start === undefined ? history.firstDay : dayWithin(history, START_DATE, start);
  const endDay = end === undefined ? history.lastDay : dayWithin(history, END_DATE, end);
  if (endDay >= startDay) return { startDay, endDay };
  const message = `"end_date" must not be before the start, ${dateOfDay(startDay)}, got ${quoted(end ?? "")}`;
  throw new DomainError("invalid_parameter", message);
}

/** The day of a date. One outside the history throws an error that states the range. */
export function dayWithin(
  { ticker, firstDay, lastDay }: History,
  { name, code }: DateParameter,
  date: string,
): number {
  const day = dayOfDate(date);
  if (day !== undefined && day >= firstDay && day <= lastDay) return day;
  const subject = ticker === undefined ? "the board" : `"${ticker}"`;
  const allowed = `${dateOfDay(firstDay)} to ${dateOfDay(lastDay)}`;
  const message = `"${name}" must be within the history of ${subject}, ${allowed}, got ${quoted(date)}`;
  throw new DomainError(code, message);
}
