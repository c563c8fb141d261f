/** What a fill costs, as fractions. */
export interface Costs {
  /** Of the traded value (units x fill price), on every fill. */
  readonly feeRate: number;
  /** A buy fills at open x (1 + slippage), a sell at open x (1 - slippage). */
  readonly slippageRate: number;
}

/** 0.10 % fee and 0.05 % slippage per fill: what every published run pays. */
export const DEFAULT_COSTS: Costs = { feeRate: 0.001, slippageRate: 0.0005 };

export const NO_COSTS: Costs = { feeRate: 0, slippageRate: 0 };

export function assertCosts({ feeRate, slippageRate }: Costs): void {
  for (const rate of [feeRate, slippageRate]) {
    if (!(rate >= 0 && rate < 1))
      throw new RangeError(`a cost rate must be in [0, 1), got ${rate}`);
  }
}

/** What one unit costs in all when bought at a day's open. */
export function unitCost(open: number, { feeRate, slippageRate }: Costs): number {
  return open * (1 + slippageRate) * (1 + feeRate);
}

/** What one unit brings net, when sold at a day's open. */
export function unitProceeds(open: number, { feeRate, slippageRate }: Costs): number {
  return open * (1 - slippageRate) * (1 - feeRate);
}
