import { FileRefused } from "../../files/refused.ts";
import type { Side } from "../columns/sides.ts";
import { dayOf } from "../../quant/check/ordered-rows.ts";
import type { Deal } from "./deal.ts";

/** What is held of one symbol at average cost. The size is below 0 for a short position. */
interface Holding {
  size: number;
  cost: number;
  fees: number;
  entry: number;
  /** The largest size since nothing was held. */
  peak: number;
  /** Whether all of it was opened on one day. */
  isOfOneDay: boolean;
  last: Deal | undefined;
}

const NOTHING: Holding = {
  size: 0,
  cost: 0,
  fees: 0,
  entry: NaN,
  peak: 0,
  isOfOneDay: true,
  last: undefined,
};

/** A sale of more than is held is rounding if the excess is below this share. */
const ROUNDING = 0.001;

/**
 * Matches fills of each symbol at average cost, in the order of their time. A short position is opened by a fill that says
 * so, or by any sale where `shorts` is set. Any other sale of more than is held is refused. What is open at the end is
 * valued at its symbol's last price, on the last day, and its symbols are in `open`. `unexplained` is the share of the
 * file's profits that no closed position explains.
 */
export function matchFills(fills: readonly Deal[], shorts: boolean) {
  const holdings = new Map<string, Holding>();
  const deals: Deal[] = [];
  let [profits, unexplained] = [0, 0];
  for (const fill of fills) {
    const key = fill.variant + "\n" + (fill.symbol ?? "");
    const holding = holdings.get(key) ?? { ...NOTHING };
    holdings.set(key, holding);
    const closed = applied(holding, fill, shorts);
    if (closed !== undefined) deals.push(closed);
    if (Math.abs(fill.profit) > 0) {
      profits++;
      if (closed === undefined) unexplained++;
    }
    if (fill.exitPrice > 0) holding.last = fill;
  }
  const open: string[] = [];
  for (const holding of holdings.values()) {
    const { size, peak, last } = holding;
    if (size === 0 || last === undefined) continue;
    if (Math.abs(size) > ROUNDING * peak) open.push(last.symbol ?? "");
    const end = { ...last, exit: fills.at(-1)!.exit, fee: 0, profit: NaN, balances: [] };
    deals.push(closedPart(holding, end, Math.abs(size)));
  }
  const hasSizes = fills.some(({ size }) => size > 0);
  return {
    deals: hasSizes ? deals : deals.map((deal) => ({ ...deal, size: NaN })),
    open,
    unexplained: profits === 0 ? 0 : unexplained / profits,
  };
}

/** Adds a fill to what is held, and returns the deal that it closes, if it closes one. */
function applied(holding: Holding, fill: Deal, shorts: boolean): Deal | undefined {
  const direction = directionOf(fill.side, holding.size);
  if (direction === 0) return undefined;
  const before = holding.size * direction;
  const held = before < 0 ? -before : 0;
  // A fill without a size closes all that is held, or opens 1.
  const size = fill.size > 0 ? fill.size - direction * fill.coinFee : held || 1;
  // A fee in coins takes a part of what is sold, which then earns nothing.
  const isWhole = direction > 0 || fill.coinFee === 0;
  const paid = isWhole ? fill : { ...fill, fee: fill.fee + fill.coinFee * fill.exitPrice };
  const closing = Math.min(held, size);
  const deal = closing > 0 ? closedPart(holding, paid, closing, closing / size) : undefined;
  const rest = size - closing;
  const mayBeRounding = before < 0 || (before === 0 && direction < 0);
  if (rest <= 0 || (mayBeRounding && rest <= ROUNDING * holding.peak)) return deal;
  const { long, opens } = fill.side;
  if (direction < 0 && !shorts && long !== false && opens !== true)
    throw oversold(fill, size, held);
  opened(holding, paid, { size: direction * rest, share: rest / size });
  return deal;
}

/** 1 for a purchase, -1 for a sale, 0 for neither. A fill that only says that it closes reduces what is held. */
export function directionOf({ buys, long, opens }: Side, held: number): number {
  if (buys !== undefined) return buys ? 1 : -1;
  if (long !== undefined) return (opens ?? true) === long ? 1 : -1;
  if (opens === undefined) return 0;
  return opens ? 1 : -Math.sign(held);
}

function closedPart(holding: Holding, fill: Deal, size: number, share = 1): Deal {
  const held = Math.abs(holding.size);
  const part = size / held;
  const fees = holding.fees * part;
  const deal: Deal = {
    ...fill,
    entry: holding.entry,
    side: { long: holding.size > 0 },
    size,
    entryPrice: holding.cost / held,
    fee: fees + fill.fee * share,
    funding: 0, // it is among the fees
    isHeld: holding.isOfOneDay,
  };
  holding.size *= 1 - part;
  holding.cost *= 1 - part;
  holding.fees -= fees;
  if (Math.abs(holding.size) < 1e-9 * holding.peak) {
    Object.assign(holding, { size: 0, cost: 0, fees: 0 });
  }
  return deal;
}

function opened(
  holding: Holding,
  fill: Deal,
  { size, share }: { size: number; share: number },
): void {
  const isNew = Math.abs(holding.size) <= ROUNDING * Math.abs(size);
  const isSameDay = dayOf(holding.entry) === dayOf(fill.exit);
  holding.isOfOneDay = isNew || (holding.isOfOneDay && isSameDay);
  if (isNew) holding.entry = fill.exit;
  if (holding.size === 0) holding.peak = 0;
  holding.size += size;
  // The coins that a fee took were bought, too.
  const feeSize = size > 0 ? share * fill.coinFee : 0;
  holding.cost += (Math.abs(size) + feeSize) * fill.exitPrice;
  holding.fees += fill.fee * share;
  holding.peak = Math.max(holding.peak, Math.abs(holding.size));
}

function oversold({ line, symbol }: Deal, size: number, held: number): FileRefused {
  const ofSymbol = symbol === undefined ? "" : ` of ${symbol}`;
  const [sold, most] = [size, held].map((value) => Number(value.toPrecision(8)));
  return new FileRefused(
    `line ${line} sells ${sold}${ofSymbol} where ${most} are held: a purchase is missing. If it opens a short position, say so ` +
      "with the words short and cover",
  );
}
