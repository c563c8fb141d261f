import { readFileSync, statSync } from "node:fs";
import { dayOfDate } from "../quant/calendar.ts";
import builtInBoard from "./board.json" with { type: "json" };
import { InputError } from "./sources/input-error.ts";

/** A coin the snapshot covers. */
export interface BoardCoin {
  /** Lower-case; the coin's name in requests and file names. */
  readonly ticker: string;
  readonly name: string;
  /** The market's name on exchanges: `BTC/USDT`. */
  readonly symbol: string;
  /** Symbols under which it was traded before, oldest first. */
  readonly earlier?: readonly EarlierSymbol[];
}

/** A symbol or a unit that a coin had before, such as MATIC/USDT of POL, or the unit before a redenomination. */
export interface EarlierSymbol {
  readonly symbol: string;
  /** Its last day. */
  readonly until: number;
  /** Prices are multiplied by this, and volumes divided by it: 1000 where 1,000 old units make a new one. */
  readonly factor: number;
}

export type Board = readonly BoardCoin[];

export const BOARD_COINS_MAX = 10_000;
const BOARD_BYTES_MAX = 4 * 1024 * 1024;
const NAME_LENGTH_MAX = 80;
const SYMBOL_PATTERN = /^[^\s/:]{1,30}\/[^\s/:]{1,15}(:[^\s/:]{1,30})?$/;
/** The members that every coin has, and what each may be. */
const MEMBERS = {
  ticker: {
    expected: "1 to 16 of a-z, 0-9 and -, not beginning with -",
    isValid: (ticker: string) => /^[a-z0-9][a-z0-9-]{0,15}$/.test(ticker),
  },
  name: {
    expected: `1 to ${NAME_LENGTH_MAX} characters on one line, trimmed`,
    isValid: (name: string) =>
      name !== "" &&
      name.length <= NAME_LENGTH_MAX &&
      name.trim() === name &&
      !/\p{Cc}/u.test(name),
  },
  symbol: {
    expected: 'an exchange symbol such as "BTC/USDT"',
    isValid: (symbol: string) => SYMBOL_PATTERN.test(symbol),
  },
};
const EARLIER_MAX = 10;
const EARLIER_QUOTED_MAX = 100;

/** The board in `file`, or the built-in one of 50 coins. Throws an InputError that names the bad entry. */
export function loadBoard(file?: string): Board {
  if (file === undefined) return parseBoard(builtInBoard, "built-in board");
  const text = readText(file);
  return parseBoard(parseJson(text, file), file, text);
}

/**
 * Checks parsed JSON: an array of {ticker, name, symbol, earlier}, no ticker twice. `text` is only for line numbers
 * in errors.
 */
export function parseBoard(value: unknown, file: string, text = ""): Board {
  if (!Array.isArray(value)) {
    throw new InputError(`board "${file}": expected a JSON array of coins, got ${kindOf(value)}`);
  }
  if (value.length === 0 || value.length > BOARD_COINS_MAX) {
    throw new InputError(
      `board "${file}": expected 1 to ${BOARD_COINS_MAX} coins, got ${value.length}`,
    );
  }
  const entryOf = new Map<string, number>();
  return value.map((entry: unknown, index) => {
    const where = `board "${file}": entry ${index + 1}`;
    const coin = parseCoin(entry, where);
    const earlier = entryOf.get(coin.ticker);
    if (earlier !== undefined) {
      throw new InputError(
        `${where}: "ticker" ${quoted(coin.ticker)} is already that of entry ${earlier}${linesText(text, coin.ticker)}`,
      );
    }
    entryOf.set(coin.ticker, index + 1);
    return coin;
  });
}

/** The lines of a board file that give a ticker. */
function linesText(text: string, ticker: string): string {
  const found = text.matchAll(new RegExp(`"ticker"\\s*:\\s*"${ticker}"`, "g")); // a ticker has no special characters
  const lines = [...found].map(({ index }) => text.slice(0, index).split("\n").length);
  return new Set(lines).size < 2 ? "" : `, lines ${lines.join(" and ")}`;
}

function parseCoin(entry: unknown, where: string): BoardCoin {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw new InputError(
      `${where}: expected an object with "ticker", "name" and "symbol", got ${kindOf(entry)}`,
    );
  }
  const { earlier, ...coin } = entry as Record<string, unknown>;
  const unknown = Object.keys(coin).find((key) => !Object.hasOwn(MEMBERS, key));
  if (unknown !== undefined) {
    throw new InputError(
      `${where}: unknown member ${quoted(unknown)}, allowed are "ticker", "name", "symbol" and "earlier"`,
    );
  }
  for (const [member, { expected, isValid }] of Object.entries(MEMBERS)) {
    const value = coin[member];
    if (typeof value !== "string") {
      const got = value === undefined ? "nothing" : kindOf(value);
      throw new InputError(`${where}: "${member}" must be a string, got ${got}`);
    }
    if (!isValid(value)) {
      throw new InputError(`${where}: "${member}" must be ${expected}, got ${quoted(value)}`);
    }
  }
  const own = coin as Record<keyof typeof MEMBERS, string>; // checked above
  return earlier === undefined ? own : { ...own, earlier: parseEarlier(earlier, where) };
}

/** Checks the symbols that a coin had before: [{symbol, until, factor}], by their last days. */
function parseEarlier(value: unknown, where: string): EarlierSymbol[] {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const symbols = entries.map(earlierOf);
  const wrong = symbols.findIndex((symbol, index) => {
    return symbol === undefined || symbol.until <= (symbols[index - 1]?.until ?? -Infinity);
  });
  if (wrong === -1 && entries.length > 0 && entries.length <= EARLIER_MAX) {
    return symbols as EarlierSymbol[]; // none is wrong
  }
  const got = JSON.stringify(entries[wrong] ?? entries).slice(0, EARLIER_QUOTED_MAX);
  throw new InputError(
    `${where}: "earlier" must be 1 to ${EARLIER_MAX} objects such as ` +
      `{"symbol": "MATIC/USDT", "until": "2024-09-10", "factor": 1}, by their last days, got ${got}`,
  );
}

function earlierOf(entry: unknown): EarlierSymbol | undefined {
  const { symbol, until, factor = 1, ...others } = Object(entry) as Record<string, unknown>;
  const day = typeof until === "string" ? dayOfDate(until) : undefined;
  if (typeof symbol !== "string" || !SYMBOL_PATTERN.test(symbol) || day === undefined) return;
  if (typeof factor !== "number" || !(factor > 0 && factor < Infinity)) return;
  return Object.keys(others).length > 0 ? undefined : { symbol, until: day, factor };
}

function readText(file: string): string {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new InputError(`board "${file}" is not a file`);
    if (facts.size > BOARD_BYTES_MAX) {
      throw new InputError(
        `board "${file}": ${facts.size} bytes, at most ${BOARD_BYTES_MAX} are read`,
      );
    }
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { message } = error as Error;
    throw new InputError(`board "${file}" cannot be read: ${message}`, { cause: error });
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The engine's message quotes the text, including its line breaks.
    const why = (error as Error).message.replaceAll(/\s+/g, " ");
    // Without a cause: the operator's input is wrong, nothing outside failed.
    throw new InputError(`board "${file}" is not JSON: ${why}`);
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
