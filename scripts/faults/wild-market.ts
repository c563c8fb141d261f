import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { randomStream } from "../../pipeline/sources/random.ts";
import { dateOfDay, dayOfCivil } from "../../quant/calendar.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { pipelineArgs } from "../support/publish.ts";

/** A backtest that is accepted and ends in error, because its figures exceed float64. */
export const WILD_RUN = { strategy: "donchian_breakout", coin: "wild" } as const;
export const WILD_ERROR = "figure_out_of_range";

const FIRST_DAY = dayOfCivil({ year: 2019, month: 1, dayOfMonth: 1 });
const DAYS = 2_500;
const HEADER = "date,open,high,low,close,volume";
/** How many days the price of the wild coin takes to rise from 1e-30 to 1e30, and to fall again. */
const SWING_DAYS = 60;
const VOLUME = 1_000;
const DAILY_CHANGE = 0.03;

/**
 * The folder of snapshots that was named, or one in `folder` to which a small made-up market is published first: two
 * ordinary coins and the wild one.
 */
export async function snapshotsOrWild(named: string | undefined, folder: string): Promise<string> {
  if (named !== undefined) return resolve(named);
  const snapshots = join(folder, "snapshots");
  const prices = join(folder, "prices");
  const board = join(folder, "board.json");
  mkdirSync(prices);
  const coins = { btc: walk("btc"), eth: walk("eth"), [WILD_RUN.coin]: swings() };
  for (const [ticker, closes] of Object.entries(coins)) {
    writeFileSync(join(prices, `${ticker}.csv`), fileOf(closes));
  }
  const listed = Object.keys(coins).map((ticker) => {
    const symbol = ticker.toUpperCase();
    return { ticker, name: symbol, symbol: `${symbol}/USDT` };
  });
  writeFileSync(board, JSON.stringify(listed));
  await runScript(HINDSIGHT, [...pipelineArgs(`csv:${prices}`, snapshots), "--board", board]);
  return snapshots;
}

function walk(ticker: string): readonly number[] {
  const stream = randomStream(`wild market:${ticker}`);
  let price = 100;
  return Array.from({ length: DAYS }, () => {
    price *= Math.exp(DAILY_CHANGE * stream.normal());
    return price;
  });
}

/** Prices that swing by so much that buying low and selling high exceeds float64 after six trades. */
function swings(): readonly number[] {
  return Array.from({ length: DAYS }, (_, row) => {
    const up = Math.abs(((row + SWING_DAYS) % (2 * SWING_DAYS)) - SWING_DAYS) / SWING_DAYS;
    return 10 ** (60 * up - 30);
  });
}

function fileOf(closes: readonly number[]): string {
  const rows = closes.map((close, row) => {
    const open = closes[row - 1] ?? close;
    const prices = [open, Math.max(open, close), Math.min(open, close), close];
    return [dateOfDay(FIRST_DAY + row), ...prices.map((each) => each.toString()), VOLUME].join(",");
  });
  return [HEADER, ...rows, ""].join("\n");
}
