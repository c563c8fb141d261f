import { dayOf } from "../check/ordered-rows.ts";
import { mornings, paidInOf } from "../check/realised-rows.ts";
import type { Ledger, LedgerTrade } from "../check/trade.ts";
import { median } from "../sample-statistics.ts";

/**
 * Trades of one coin and side that were entered in the same second, such as those of partial exits. Shares, fees and
 * funding are in points: percent of the account on the morning of the day on which each trade was closed.
 */
export interface Position {
  readonly coin: string;
  readonly long: boolean;
  readonly lines: readonly number[];
  readonly entry: number;
  /** Of the last part. */
  readonly exit: number;
  /** Means, weighted by size. */
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** In the file's unit. */
  readonly size: number;
  /** Sum of 100 x multiplier x size / account. */
  readonly quantity: number;
  readonly share: number;
  readonly fees: number;
  readonly funding: number;
  readonly reason: string | undefined;
  /** Whether prices and sizes explain the profits of its coin. */
  readonly isPriced: boolean;
}

/** The positions of a ledger, ascending by entry. Throws `PanelRefused` where the account is lost. */
export function positionsOf(ledger: Ledger): Position[] {
  const groups = grouped(ledger.trades, ({ symbol, long, entry }) =>
    [symbol, long, Math.floor(entry)].join("|"),
  );
  const coins = grouped(ledger.trades, ({ symbol }) => symbol ?? "");
  const multipliers = new Map(
    [...coins].map(([coin, trades]) => [coin, multiplierOf(trades)] as const),
  );
  const accountAt = accountOf(ledger);
  const positions = [...groups.values()].map((trades) =>
    positionOf(trades, multipliers.get(trades[0]!.symbol ?? "")!, accountAt),
  );
  return positions.toSorted(
    (a, b) =>
      a.entry - b.entry || a.exit - b.exit || a.share - b.share || a.lines[0]! - b.lines[0]!,
  );
}

/** The account on the morning of a day of an instant, as the daily returns of realised profits have it. */
function accountOf({ trades, capital, flows }: Ledger): (instant: number) => number {
  let [first, last] = [Infinity, -Infinity];
  for (const { entry, exit } of trades) {
    first = Math.min(first, dayOf(entry), dayOf(exit));
    last = Math.max(last, dayOf(exit));
  }
  const profits = new Float64Array(Math.max(0, last - first + 1));
  for (const { exit, profit } of trades) profits[dayOf(exit) - first]! += profit;
  const paidIn = paidInOf(flows, first, profits.length);
  const account = mornings(profits, { capital, paidIn, first, name: trades[0]?.variant ?? "" });
  return (instant) => account[dayOf(instant) - first]!;
}

/** A multiplier this near to 1 is 1. */
const ONE_NEAR = 0.03;
/** Prices don't explain a coin's profits where the median of what they leave is above this share of the median profit. */
const UNEXPLAINED_MAX = 0.2;

/** What one price unit of one unit of size is worth; NaN where prices and sizes do not explain the coin's profits. */
function multiplierOf(trades: readonly LedgerTrade[]): number {
  const moves = trades.map(({ long, size, entryPrice, exitPrice }) => {
    const isComplete = size > 0 && entryPrice > 0 && exitPrice > 0;
    return isComplete ? (long ? 1 : -1) * (exitPrice - entryPrice) * size : NaN;
  });
  if (!moves.every(Number.isFinite)) return NaN;
  const gross = trades.map(({ profit, fee, funding }) => profit + fee + funding);
  const ratio = median(gross.map((value, row) => (moves[row] === 0 ? NaN : value / moves[row]!)));
  const multiplier = Math.abs(ratio - 1) <= ONE_NEAR ? 1 : ratio;
  const left = median(gross.map((value, row) => Math.abs(value - multiplier * moves[row]!)));
  const isExplained = multiplier > 0 && left <= UNEXPLAINED_MAX * median(gross.map(Math.abs));
  return isExplained ? multiplier : NaN;
}

function positionOf(
  trades: readonly LedgerTrade[],
  multiplier: number,
  accountAt: (instant: number) => number,
): Position {
  const [first] = trades;
  let [size, quantity, entries, exits, share, fees, funding] = [0, 0, 0, 0, 0, 0, 0];
  let last = first!; // a group has a trade
  for (const trade of trades) {
    const points = 100 / accountAt(trade.exit);
    const part = points * multiplier * trade.size;
    size += trade.size;
    quantity += part;
    entries += part * trade.entryPrice;
    exits += part * trade.exitPrice;
    share += points * trade.profit;
    fees += points * trade.fee;
    funding += points * trade.funding;
    if (trade.exit > last.exit) last = trade;
  }
  const { symbol = "", long, entry } = last;
  return {
    coin: symbol,
    long,
    lines: trades.map(({ line }) => line).toSorted((a, b) => a - b),
    entry,
    exit: last.exit,
    entryPrice: entries / quantity,
    exitPrice: exits / quantity,
    size,
    quantity,
    share,
    fees,
    funding,
    reason: last.reason,
    isPriced: quantity > 0,
  };
}

/** Only positions of one coin and side can be partners. */
export function sideOf({ coin, long }: Position): string {
  return `${coin}|${long}`;
}

/** The items by their key, each group in the order of the items. */
export function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
