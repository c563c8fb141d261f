import { z } from "zod";

/** What an account may do. */
export interface Plan {
  readonly name: string;
  /** Dollars a month; null if the plan is free. */
  readonly priceUsd: number | null;
  /** Calls in a UTC calendar month; on a trial, calls over the whole trial. */
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  /** Units one backtest costs; null if the plan has no backtests. */
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
  /** Units one check of a file costs. */
  readonly checkUnits: number;
}

/** A larger number in a plan file is taken for a slip. */
const CALLS_MAX = 1_000_000_000_000;
const RATE_MAX = 1_000_000_000;
const RUNS_MAX = 10_000;
/** What a check costs on plans that do not say, as those of older plan files. */
const CHECK_UNITS = 1;
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
const NAME_RULE = "must be 1-32 of a-z, 0-9, _ and -, beginning with a letter";

const count = (max: number) => z.number().int().min(1).max(max);

/** A plan in a plan file. A member added later has a default, so that older files stay valid. */
export const PlanRow = z
  .strictObject({
    name: z.string().regex(NAME, NAME_RULE),
    price_usd: z.number().min(0).nullable(),
    calls_per_month: count(CALLS_MAX),
    rate_per_minute: count(RATE_MAX),
    backtest_units: count(CALLS_MAX).nullable(),
    concurrent_runs: count(RUNS_MAX).nullable(),
    check_units: count(CALLS_MAX).default(CHECK_UNITS),
  })
  .refine((row) => (row.backtest_units === null) === (row.concurrent_runs === null), {
    message: "backtest_units and concurrent_runs must both be numbers or both be null",
  });

export function planOf(row: z.infer<typeof PlanRow>): Plan {
  return Object.freeze({
    name: row.name,
    priceUsd: row.price_usd,
    callsPerMonth: row.calls_per_month,
    ratePerMinute: row.rate_per_minute,
    backtestUnits: row.backtest_units,
    concurrentRuns: row.concurrent_runs,
    checkUnits: row.check_units,
  });
}

/** The plan as test keys have it: its rate and its price of a check, else what the free plan has, and no backtests. */
export function planOfTestKeys(plan: Plan, free: Plan): Plan {
  const { name, priceUsd, ratePerMinute, checkUnits } = plan;
  const own = { name, priceUsd, ratePerMinute, checkUnits };
  return Object.freeze({ ...free, ...own, backtestUnits: null, concurrentRuns: null });
}

const row = (
  name: string,
  price_usd: number | null,
  [calls_per_month, rate_per_minute]: readonly [number, number],
  [backtest_units, concurrent_runs]: readonly [number, number] | readonly [null, null],
) => ({
  name,
  price_usd,
  calls_per_month,
  rate_per_minute,
  backtest_units,
  concurrent_runs,
  check_units: CHECK_UNITS,
});

/** The price list: price, calls and rate, units and number of backtests. */
export const PRICE_LIST: readonly Plan[] = [
  row("free", null, [100, 10], [null, null]),
  row("trial", null, [1_000, 30], [null, null]),
  row("developer", 19, [10_000, 60], [10, 1]),
  row("startup", 79, [100_000, 180], [10, 3]),
  row("scale", 299, [1_000_000, 600], [10, 10]),
].map(planOf);
