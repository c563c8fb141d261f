import type { Observations } from "../../quant/check/panel.ts";
import { DAY_SECONDS, instantText } from "../../quant/check/ordered-rows.ts";
import { FileRefused, type Trade } from "./export.ts";

interface RealisedOptions {
  readonly capital: number;
  /** Days, first and last, of the test; those from the first entry to the last exit where the file doesn't say. */
  readonly first?: number | undefined;
  readonly last?: number | undefined;
  /** All variants, those without a trade too; those of the trades where it isn't given. */
  readonly variants?: readonly string[];
}

/** Days of one account, with no end of the world in between. */
const DAYS_MAX = 40_000;
const dayOf = (instant: number) => Math.floor(instant / DAY_SECONDS);

/**
 * Daily returns of realised profit: what was closed on a day over the capital and the profit closed before. Days
 * without an exit are 0. Open positions are not valued.
 */
export function realisedRows(trades: readonly Trade[], options: RealisedOptions): Observations {
  const { capital, variants = [...new Set(trades.map(({ variant }) => variant))] } = options;
  const first = options.first ?? Math.min(...trades.map(({ entry }) => dayOf(entry)));
  const last = options.last ?? Math.max(...trades.map(({ exit }) => dayOf(exit)));
  const days = last - first + 1;
  if (!(days >= 1 && days <= DAYS_MAX)) {
    throw new FileRefused("the trades have no days from their first entry to their last exit");
  }
  const places = new Map(variants.map((name, place) => [name, place]));
  const profits = variants.map(() => new Float64Array(days));
  for (const { variant, exit, profit } of trades) {
    const day = dayOf(exit) - first;
    if (day < 0 || day >= days) continue;
    profits[places.get(variant)!]![day]! += profit; // variants hold every trade's
  }
  return {
    kind: "returns",
    instants: Float64Array.from({ length: days }, (_, day) => (first + day) * DAY_SECONDS),
    lines: new Int32Array(days),
    names: variants,
    columns: profits.map((column, place) =>
      rates(column, capital, { first, name: variants[place]! }),
    ),
  };
}

function rates(
  profits: Float64Array,
  capital: number,
  of: { first: number; name: string },
): Float64Array {
  let account = capital;
  return profits.map((profit, day) => {
    const rate = profit === 0 ? 0 : profit / account;
    account += profit;
    if (account > 0) return rate;
    const date = instantText((of.first + day) * DAY_SECONDS);
    throw new FileRefused(
      `with a starting capital of ${capital}, the account of "${of.name}" is lost on ${date}: give the capital ` +
        "that the backtest began with",
    );
  });
}
