import { readFileSync } from "node:fs";
import { z } from "zod";
import { AccountsUnavailable } from "./redis/accounts-unavailable.ts";
import type { KeyEnvironment } from "./keys.ts";
import { AccountsRefused } from "./refused.ts";

/** The limits and prices of an account. */
export interface Plan {
  readonly name: string;
  /** Dollars a month; null if the plan is free. */
  readonly priceUsd: number | null;
  /** Calls in a UTC calendar month; on a trial, calls over the whole trial. */
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  /** Units that one backtest costs; null if the plan has no backtests. */
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
  /** Units that one check of a file costs. */
  readonly checkUnits: number;
}

/** Larger numbers in a plan file are assumed to be typing errors. */
const CALLS_MAX = 1_000_000_000_000;
const RATE_MAX = 1_000_000_000;
const RUNS_MAX = 10_000;
/** The price of a check on plans that do not name it, as in older plan files. */
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

const listed = (
  name: string,
  priceUsd: number | null,
  [callsPerMonth, ratePerMinute]: readonly [number, number],
  [backtestUnits, concurrentRuns]: readonly [number, number] | readonly [null, null],
): Plan => {
  const calls = { callsPerMonth, ratePerMinute };
  const runs = { backtestUnits, concurrentRuns };
  return Object.freeze({ name, priceUsd, ...calls, ...runs, checkUnits: CHECK_UNITS });
};

/** The price list: name, price, calls and rate, units of a backtest and concurrent runs. */
export const PRICE_LIST: readonly Plan[] = [
  listed("free", null, [100, 10], [null, null]),
  listed("trial", null, [1_000, 30], [null, null]),
  listed("developer", 19, [10_000, 60], [10, 1]),
  listed("startup", 79, [100_000, 180], [10, 3]),
  listed("scale", 299, [1_000_000, 600], [10, 10]),
];

/** Plans by name. "free" and "trial" are always among them, because accounts start on one and end on the other. */
export type PlanTable = ReadonlyMap<string, Plan>;

export const FREE = "free";
export const TRIAL = "trial";

export const BUILT_IN_PLANS: PlanTable = tableOf(PRICE_LIST);

const FILE_FAULTS_SHOWN = 3;

const PlanFile = z.strictObject({ plans: z.array(PlanRow).min(1) });

/** The built-in plans and those of an operator's file, which replace built-in plans of the same name. */
export function readPlans(file: string | undefined): PlanTable {
  if (file === undefined) return BUILT_IN_PLANS;
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new AccountsRefused("bad_plans", `cannot read the plan file "${file}"`, { cause });
  }
  return parsePlans(text, file);
}

/** The plan table of a file's text. `file` is used in messages only. */
export function parsePlans(text: string, file: string): PlanTable {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, "")); // some editors start files with a byte order mark
  } catch (cause) {
    throw new AccountsRefused("bad_plans", `the plan file "${file}" is not JSON`, { cause });
  }
  const parsed = PlanFile.safeParse(json);
  if (!parsed.success) {
    throw new AccountsRefused("bad_plans", `the plan file "${file}": ${faults(parsed.error)}`);
  }
  const names = parsed.data.plans.map((row) => row.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new AccountsRefused("bad_plans", `the plan file "${file}" names "${twice}" twice`);
  }
  return tableOf([...PRICE_LIST, ...parsed.data.plans.map(planOf)]);
}

/** The plan of this name. */
export function checkPlan(plans: PlanTable, name: string): Plan {
  const plan = plans.get(name);
  if (plan !== undefined) return plan;
  const known = [...plans.keys()].join(", ");
  throw new AccountsRefused("unknown_plan", `there is no plan "${name}": the plans are ${known}`);
}

/**
 * A plan for keys of one environment. Test keys have the plan's own rate and price of a check, otherwise the free plan's
 * limits, and no backtests.
 */
export function planForKey(plans: PlanTable, plan: Plan, env: KeyEnvironment): Plan {
  if (env === "live") return plan;
  const { name, priceUsd, ratePerMinute, checkUnits } = plan;
  const own = { name, priceUsd, ratePerMinute, checkUnits };
  const free = plans.get(FREE)!; // every table has it
  return Object.freeze({ ...free, ...own, backtestUnits: null, concurrentRuns: null });
}

/** The plan of a key's account, for keys of its environment. */
export function planOfCaller(
  plans: PlanTable,
  { accountId, env }: { readonly accountId: string; readonly env: KeyEnvironment },
  planName: string,
): Plan {
  const plan = plans.get(planName);
  if (plan !== undefined) return planForKey(plans, plan, env);
  const message = `account "${accountId}" is on the plan "${planName}", which the plan table does not have`;
  throw new AccountsUnavailable(message);
}

/** The warning about accounts on plans that are not in the plan table. */
export function missingPlans(names: readonly string[]): string {
  const missing = names.map((name) => `"${name}"`).join(", ");
  return `accounts are on plans the plan table does not have: ${missing}; they cannot be served until --plans names them`;
}

function tableOf(plans: readonly Plan[]): PlanTable {
  return new Map(plans.map((plan) => [plan.name, plan]));
}

function faults(error: z.ZodError): string {
  const lines = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`,
  );
  const more = lines.length - FILE_FAULTS_SHOWN;
  return lines.slice(0, FILE_FAULTS_SHOWN).join("; ") + (more > 0 ? `; and ${more} more` : "");
}
