import { applyPriceRules, type CleanCoin } from "../../pipeline/price-rules.ts";
import type { PreviousHistory } from "../../pipeline/price-rules/history.ts";
import type { Horizon } from "../../pipeline/price-rules/raw-row.ts";
import type { RawRow, SourceCoin } from "../../pipeline/price-rules/raw-row.ts";
import { sourceCoin } from "./prices-file-rows.ts";

/** The clock says day 1000; as_of is the day before. */
export const BY_CLOCK: Horizon = { asOf: 999, today: 1000 };

/** The published coin of rows that are all its source has. */
export function clean(rows: readonly RawRow[], horizon: Horizon = BY_CLOCK): CleanCoin {
  return applyPriceRules({ coin: sourceCoin(rows), horizon });
}

/** The published coin after an earlier run. */
export function after(previous: CleanCoin, coin: SourceCoin, horizon = BY_CLOCK): CleanCoin {
  return applyPriceRules({ coin, previous: published(previous), horizon });
}

/** The part of a coin that a snapshot keeps. */
function published({ bars, filled, rejects, quality }: CleanCoin): PreviousHistory {
  const { restartedAt, daysBeforeGapLeftOut } = quality;
  return { bars, filled, rejects, restartedAt, daysBeforeGapLeftOut };
}

export function daysOf(coin: CleanCoin): number[] {
  return Array.from(coin.bars.day);
}

/** Day and reason of each refusal. */
export function reasonsOf(coin: CleanCoin): (readonly [number | null, string])[] {
  return coin.rejects.map(({ day, reason }) => [day, reason] as const);
}
