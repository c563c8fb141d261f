import { median } from "../../quant/sample-statistics.ts";
import type { Deal } from "./deal.ts";

/** What the prices of trades say about their profits. */
export interface PriceFit {
  /** Undefined where they don't tell. */
  readonly profitIs: "net" | "gross" | undefined;
  /** Profit for each unit of size and price: 1 for coins and shares; NaN if it isn't known. */
  readonly multiplier: number;
}

/** What the right reading may leave of what the other leaves, of the median fee, and of the median profit. */
const [BETTER, OF_FEE, OF_PROFIT] = [0.5, 0.25, 0.1];
const DEALS_MIN = 3;

/** What a trade earns before fees for each unit of its multiplier. */
export function priceMove({ size, side, entryPrice, exitPrice }: Deal): number {
  return size * (exitPrice - entryPrice) * (side.long === false ? -1 : 1);
}

/**
 * Compares profits with prices and quantities, before and after fees: what leaves the smaller median residual is what the
 * file has. Coins and shares have the multiplier 1; where that doesn't tell, each symbol has one of its own, as futures and
 * lots do.
 */
export function fitPrices(all: readonly Deal[]): PriceFit {
  const deals = all.filter((deal) => Math.abs(priceMove(deal)) > 0);
  if (deals.length < DEALS_MIN) return { profitIs: undefined, multiplier: NaN };
  const plain = fitted(deals, () => 1);
  const own = plain.profitIs === undefined ? fitted(deals, median) : plain;
  return own.profitIs === undefined && plain.left < OF_PROFIT ? plain : own;
}

function fitted(
  deals: readonly Deal[],
  multiplierOf: (ratios: number[]) => number,
): PriceFit & { left: number } {
  const [net, gross] = [1, 0].map((fees) => {
    const target = (deal: Deal) => deal.profit + fees * deal.fee;
    const ratios = new Map<string | undefined, number[]>();
    for (const deal of deals) {
      const ratio = target(deal) / priceMove(deal);
      const of = ratios.get(deal.symbol);
      if (of === undefined) ratios.set(deal.symbol, [ratio]);
      else of.push(ratio);
    }
    const multipliers = new Map([...ratios].map(([symbol, of]) => [symbol, multiplierOf(of)]));
    const residual = median(
      deals.map((deal) => Math.abs(target(deal) - multipliers.get(deal.symbol)! * priceMove(deal))),
    );
    return { residual, multiplier: median([...multipliers.values()]) };
  }) as [{ residual: number; multiplier: number }, { residual: number; multiplier: number }];
  const [best, other] = net.residual < gross.residual ? [net, gross] : [gross, net];
  const fee = median(deals.map((deal) => Math.abs(deal.fee)));
  const isTold = best.residual < BETTER * other.residual && best.residual < OF_FEE * fee;
  return {
    profitIs: isTold ? (best === net ? "net" : "gross") : undefined,
    multiplier: best.multiplier,
    left: best.residual / median(deals.map(({ profit }) => Math.abs(profit))),
  };
}
