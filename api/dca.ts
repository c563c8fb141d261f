import type { DcaOutcome, LumpSum as LumpSumOutcome } from "../quant/outcomes/dca-outcome.ts";
import type { DcaFrequency } from "../quant/outcomes/purchase-track.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, int, number, object, oneOf, percent, text } from "./members.ts";
import { record, type Json } from "./record.ts";

export const DCA_FREQUENCIES = [
  "daily",
  "weekly",
  "biweekly",
  "monthly",
] as const satisfies readonly DcaFrequency[];

const LumpSum = record<LumpSumOutcome>()({
  units: number.orNull("units of the coin bought"),
  value_usd: number.orNull("what they are worth on end_date", (sum) => sum.value),
  profit_usd: number.orNull("value minus what was invested", (sum) => sum.profit),
  return_pct: percent.orNull("profit against what was invested", (sum) => sum.totalReturn),
  cagr_pct: percent.orNull("return a year, compounded; null when no day has passed"),
  max_drawdown_pct: percent.orNull("deepest fall below the highest close since start_date"),
});

const Comparison = record<DcaOutcome>()({
  winner: oneOf(["dca", "lump_sum", "tie"])("which ended higher"),
  difference_usd: number.orNull(
    "value_usd less the lump sum's: negative when the lump sum won",
    (plan) => plan.difference,
  ),
  difference_pct: percent.orNull(
    "the same against the lump sum's value",
    (plan) => plan.relativeDifference,
  ),
  lump_sum_wins_pct: percent.orNull(
    "share of all start dates at least 365 days before end_date, of this coin and frequency, from which the lump sum ended higher; null when there is none",
  ),
});

interface Plan extends DcaOutcome {
  readonly coin: string;
  readonly frequency: DcaFrequency;
  /** A fraction; undefined without one. */
  readonly feeRate?: number | undefined;
}

/** A schedule of purchases and what became of it. */
export const DcaPlan = record<Plan>()({
  coin: text("ticker"),
  amount_usd: number.orNull("dollars a purchase", (plan) => plan.amount),
  frequency: oneOf(DCA_FREQUENCIES)("how often it buys"),
  start_date: date("day of the first purchase", (plan) => plan.startDay),
  end_date: date("last day, by default the coin's last complete one", (plan) => plan.endDay),
  fee_pct: percent.ifAny(
    "of each purchase; only where the request has one",
    (plan) => plan.feeRate,
  ),
  purchases: int("number of purchases"),
  invested_usd: number.orNull("amount times purchases, fees included", (plan) => plan.invested),
  units: number.orNull("units of the coin bought"),
  average_cost_usd: number.orNull(
    "average price paid for a unit, fees included",
    (plan) => plan.averageCost,
  ),
  value_usd: number.orNull("what the units are worth on end_date", (plan) => plan.value),
  profit_usd: number.orNull("value minus what was invested", (plan) => plan.profit),
  return_pct: percent.orNull("profit against what was invested", (plan) => plan.totalReturn),
  irr_pct: percent.orNull("money-weighted (XIRR, actual days / 365); null where undefined"),
  worst_return_pct: percent.orNull("lowest value against what was invested by then"),
  worst_date: date("day of that value", (plan) => plan.worstDay),
  days_under_water: int("days that closed below what was invested"),
  days_in_profit_pct: percent.orNull(
    "share of days that closed above it",
    (plan) => plan.daysInProfitShare,
  ),
  lump_sum: object(LumpSum)("the same total invested at the first purchase's close"),
  comparison: object(Comparison)("the schedule against the lump sum", (plan) => plan),
});

/** `GET /dca` */
export const Dca = record<Plan & Attributed>()({ attribution, ...DcaPlan.members });

export type DcaPlan = Json<typeof DcaPlan>;
