import { PanelRefused, type Observations } from "./panel.ts";
import { DAY_SECONDS, dayOf, instantText, isInstant } from "./ordered-rows.ts";
import { spanOf, type TradeList } from "./trade.ts";

/** Most days of one account. */
const DAYS_MAX = 40_000;

/**
 * Daily returns of realised profit: the profit closed on a day over the account, which is the capital with the profit
 * closed before and the money paid in by that day. Days without an exit are 0. Open positions are not valued.
 */
export function realisedRows(list: TradeList): Observations {
  const { trades, capital } = list;
  const { first, last, variants } = spanOf(list);
  const days = last - first + 1;
  if (!(days >= 1 && days <= DAYS_MAX && isInstant(first * DAY_SECONDS))) {
    throw new PanelRefused("the trades have no days from their first entry to their last exit");
  }
  const places = new Map(variants.map((name, index) => [name, index]));
  const profits = variants.map(() => new Float64Array(days));
  for (const { variant, exit, profit } of trades) {
    const day = dayOf(exit) - first;
    if (day < 0 || day >= days) continue;
    profits[places.get(variant)!]![day]! += profit; // variants hold every trade's
  }
  const paidIn = paidInOf(list.flows, first, days);
  return {
    kind: "returns",
    instants: Float64Array.from({ length: days }, (_, day) => (first + day) * DAY_SECONDS),
    lines: new Int32Array(days),
    names: variants,
    columns: profits.map((column, index) =>
      rates(column, { capital, paidIn, first, name: variants[index]! }),
    ),
  };
}

/** The money paid in on each of some days. What came earlier counts on the first. */
export function paidInOf(flows: TradeList["flows"], first: number, days: number): Float64Array {
  const paidIn = new Float64Array(days);
  for (const { at, amount } of flows ?? []) {
    const day = Math.max(0, dayOf(at) - first);
    if (day < days) paidIn[day]! += amount;
  }
  return paidIn;
}

function rates(profits: Float64Array, input: AccountOf): Float64Array {
  const account = mornings(profits, input);
  return profits.map((profit, day) => (profit === 0 ? 0 : profit / account[day]!));
}

interface AccountOf {
  readonly capital: number;
  readonly paidIn: Float64Array;
  readonly first: number;
  readonly name: string;
}

/** The account on the morning of each day: the capital with the profits of earlier days and what was paid in by that day. */
export function mornings(profits: Float64Array, input: AccountOf): Float64Array {
  const { capital } = input;
  let account = capital;
  return profits.map((profit, day) => {
    account += input.paidIn[day]!;
    const morning = account;
    account += profit;
    if (account > 0) return morning;
    const date = instantText((input.first + day) * DAY_SECONDS);
    throw new PanelRefused(
      `with a starting capital of ${capital}, the account of "${input.name}" is lost on ${date}: give the capital ` +
        "that the backtest began with",
    );
  });
}
