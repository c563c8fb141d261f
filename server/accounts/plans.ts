import { readFileSync } from "node:fs";
import { z } from "zod";
import { AccountsUnavailable, type Caller } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import { PlanRow, planOf, planOfTestKeys, PRICE_LIST, type Plan } from "./plan.ts";
import { AccountsRefused } from "./refused.ts";

/** Plans by name. Always holds "free" and "trial", because accounts start on one and end on the other. */
export type PlanTable = ReadonlyMap<string, Plan>;

export const FREE = "free";
export const TRIAL = "trial";

/** The plans of the price list. */
export const BUILT_IN_PLANS: PlanTable = tableOf(PRICE_LIST);

const FILE_FAULTS_SHOWN = 3;

const PlanFile = z.strictObject({ plans: z.array(PlanRow).min(1) });

/** The built-in plans, plus those of an operator's file, which replace built-in plans of the same name. */
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

/** The plan table in a file's text; `file` is used in messages only. */
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

/** A plan as keys of one environment have it: test keys get the free plan's calls, and no backtests. */
export function planForKey(plans: PlanTable, plan: Plan, env: KeyEnvironment): Plan {
  return env === "live" ? plan : planOfTestKeys(plan, plans.get(FREE)!); // every table has it
}

/** The plan that a key's account is on, as the key has it. */
export function planOfCaller(
  plans: PlanTable,
  { accountId, env }: Pick<Caller, "accountId" | "env">,
  planName: string,
): Plan {
  const plan = plans.get(planName);
  if (plan !== undefined) return planForKey(plans, plan, env);
  const message = `account "${accountId}" is on the plan "${planName}", which the plan table does not have`;
  throw new AccountsUnavailable(message);
}

/** The warning about accounts on plans that the plan table does not have. */
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
