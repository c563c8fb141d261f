import { median } from "../../quant/sample-statistics.ts";
import type { Deal } from "./deal.ts";
import { directionOf } from "./fill-match.ts";

/** What the prices of trades say about their profits. */
export interface PriceFit {
  /** Undefined where they don't tell. */
  readonly profitIs: "net" | "gross" | undefined;
  /** Profit for each unit of size and price: 1 for coins and shares. NaN where it isn't known. */
  readonly multiplier: number;
}

/** The right reading leaves at most this share of what the other leaves, of the median fee, and of the median profit. */
const [BETTER, OF_FEE, OF_PROFIT] = [0.5, 0.25, 0.2];
const DEALS_MIN = 3;

/** What a trade earns before fees with a multiplier of 1. */
export function priceMove({ size, side, entryPrice, exitPrice }: Deal): number {
  return size * (exitPrice - entryPrice) * (side.long === false ? -1 : 1);
}

/**
 * Tells whether profits are net or gross by comparing them with prices and quantities: the reading that leaves the smaller
 * median residual is right. Coins and shares have the multiplier 1. If that doesn't tell, each symbol has one of its own,
 * as futures and lots do.
 */
export function fitPrices(all: readonly Deal[]): PriceFit {
  const deals = all.filter((deal) => Math.abs(priceMove(deal)) > 0);
  if (deals.length < DEALS_MIN) return { profitIs: undefined, multiplier: NaN };
  const plain = fitted(deals, () => 1);
  const own = plain.profitIs === undefined ? fitted(deals, median) : plain;
  const best = own.profitIs === undefined && plain.left < OF_PROFIT ? plain : own;
  return best.left < OF_PROFIT ? best : { ...best, multiplier: NaN };
}

/**
 * What fills say of their profits without a rule that matches purchases with sales: whenever nothing of a lot or a symbol is
 * held, its profits add up to what was received less what was paid, before or after the fees.
 */
export function flatSays(fills: readonly Deal[]): "net" | "gross" | undefined {
  const held = new Map<string, { size: number; peak: number; cash: number; fee: number }>();
  const votes: string[] = [];
  for (const { lot, symbol, variant, side, size, exitPrice, fee, profit } of fills) {
    const key = [variant, symbol, lot].join("\n");
    const holding = held.get(key) ?? { size: 0, peak: 0, cash: 0, fee: 0 };
    const direction = directionOf(side, holding.size);
    holding.size += direction * size;
    holding.peak = Math.max(holding.peak, Math.abs(holding.size));
    holding.cash += (profit || 0) + direction * size * exitPrice; // what profits add to the money that was paid
    holding.fee += fee;
    held.set(key, holding);
    if (!(Math.abs(holding.size) <= 1e-6 * holding.peak)) continue;
    held.delete(key);
    const [asGross, asNet] = [Math.abs(holding.cash), Math.abs(holding.cash + holding.fee)];
    if (holding.fee > 0)
      votes.push(
        asGross < OF_FEE * holding.fee ? "gross" : asNet < OF_FEE * holding.fee ? "net" : "",
      );
  }
  const [first] = votes;
  return votes.every((vote) => vote === first)
    ? (first as "net" | "gross") || undefined
    : undefined;
}

function fitted(deals: readonly Deal[], multiplierOf: (ratios: number[]) => number) {
  const [net, gross] = (["net", "gross"] as const).map((profitIs) => {
    const target = (deal: Deal) => deal.profit + (profitIs === "net" ? deal.fee : 0);
    const ratios = new Map<string | undefined, number[]>();
    for (const deal of deals) {
      const known = ratios.get(deal.symbol) ?? [];
      known.push(target(deal) / priceMove(deal));
      ratios.set(deal.symbol, known);
    }
    const multipliers = new Map([...ratios].map(([symbol, each]) => [symbol, multiplierOf(each)]));
    const error = (deal: Deal) => target(deal) - multipliers.get(deal.symbol)! * priceMove(deal);
    const residual = median(deals.map((deal) => Math.abs(error(deal))));
    return { profitIs, residual, multiplier: median([...multipliers.values()]) };
  });
  const [best, other] = gross!.residual < net!.residual ? [gross!, net!] : [net!, gross!];
  const fee = median(deals.map((deal) => Math.abs(deal.fee)));
  const profit = median(deals.map((deal) => Math.abs(deal.profit)));
  const isTold = best.residual < BETTER * other.residual && best.residual < OF_FEE * fee;
  const { multiplier, residual } = best;
  return {
    profitIs: isTold ? best.profitIs : undefined,
    multiplier,
    left: residual / profit,
  };
}
