import { connectToAdmin } from "../accounts/admin-socket.ts";
import { openSqliteState } from "../accounts/sqlite/open-sqlite-state.ts";
import { fileBehindLinks } from "../accounts/sqlite/state-file.ts";
import type { AccountsAdmin } from "../accounts/accounts-admin.ts";
import { readPlans, type PlanTable } from "../accounts/plans.ts";
import { AccountsRefused } from "../accounts/refused.ts";
import { isRedisAddress, shownAddress } from "../accounts/redis/address.ts";
import { UsageError } from "./usage-error.ts";
import { suggestion } from "./suggestion.ts";

/** Each try waits a second for the file. */
const OWNER_TRIES = 5;

/** The options of every command about accounts and keys. */
export interface StateOptions {
  readonly state: string;
  readonly plans?: string;
  readonly json?: true;
}

interface Access {
  readonly mustExist: boolean;
  /** Refuses what is asked before there is a file for it. */
  readonly check?: (plans: PlanTable) => void;
}

/** Calls `work` with the operator's side of the state, and closes it afterwards. */
export async function withAdmin<T>(
  { state, plans }: StateOptions,
  { mustExist, check }: Access,
  work: (admin: AccountsAdmin, plans: PlanTable) => Promise<T>,
): Promise<T> {
  const table = readPlans(plans);
  try {
    check?.(table);
    const open = isRedisAddress(state) ? redisAdmin : fileAdmin;
    const admin = await open(state, { plans: table, mustExist });
    try {
      return await work(admin, table);
    } finally {
      await admin.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

interface AdminOptions {
  readonly plans: PlanTable;
  readonly mustExist: boolean;
}

/** The operator's side of a state file: through the server that has it open, otherwise by owning the file until the end. */
async function fileAdmin(file: string, options: AdminOptions): Promise<AccountsAdmin> {
  for (let tries = 1; ; tries++) {
    const served = await connectToAdmin(fileBehindLinks(file));
    if (served !== undefined) return served;
    try {
      const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
      const state = openSqliteState({ ...options, file, clock, roundMs: null });
      state.admin.close = () => state.close();
      return state.admin;
    } catch (error) {
      // A server that is just starting owns the file, and has no socket yet.
      const isInUse = error instanceof AccountsRefused && error.code === "state_in_use";
      if (tries === OWNER_TRIES || !isInUse) throw error;
    }
  }
}

/** Most commands, and the server's start, do without the Redis client, so it is imported only here. */
async function redisAdmin(address: string, options: AdminOptions): Promise<AccountsAdmin> {
  const { openRedisAdmin } = await import("../accounts/redis/redis-admin.ts");
  return await openRedisAdmin({ ...options, address, nowMs: Date.now });
}

/** Where accounts are kept, as people may see it: without a password. */
export function shownState(state: string): string {
  return isRedisAddress(state) ? shownAddress(state) : state;
}

/** Finds a name in the plan table; any other is a fault of the command line. */
export function checkPlanName(name: string, plans: PlanTable): void {
  if (plans.has(name)) return;
  const names = [...plans.keys()];
  const hint = suggestion(name, names);
  throw new UsageError(`there is no plan "${name}": the plans are ${names.join(", ")}${hint}`);
}

/** Adds what to do about the error, unless the message contains it. */
function explained(error: unknown): unknown {
  if (!(error instanceof AccountsRefused)) return error;
  if (error.code === "bad_email") return new UsageError(error.message);
  if (error.code !== "no_state_file") return error;
  const message = `${error.message}: create an account first (hindsight accounts create), or say where they are with --state`;
  return new Error(message, { cause: error });
}
