import { connectToAdmin } from "../../server/accounts/admin-socket.ts";
import { openSqliteState } from "../../server/accounts/sqlite/open-sqlite-state.ts";
import { fileBehindLinks } from "../../server/accounts/sqlite/state-file.ts";
import type { AccountsAdmin } from "../../server/accounts/accounts-admin.ts";
import type { RedisAdminOptions } from "../../server/accounts/redis/redis-admin.ts";
import { readPlans, type PlanTable } from "../../server/accounts/plans.ts";
import { AccountsRefused } from "../../server/accounts/refused.ts";
import { isRedisAddress, shownAddress } from "../../server/redis/address.ts";
import { UsageError } from "../support/usage-error.ts";
import { suggestion } from "./suggestion.ts";

/** Each waits a second for the file. */
const OWNER_TRIES = 5;

/** What every command about accounts and keys takes. */
export interface StateOptions {
  readonly state: string;
  readonly plans?: string;
  readonly json?: true;
}

/** Gives `work` the operator's side of the state, and closes it afterwards. */
export async function withAdmin<T>(
  { state, plans }: StateOptions,
  { mustExist }: { readonly mustExist: boolean },
  work: (admin: AccountsAdmin, plans: PlanTable) => Promise<T>,
): Promise<T> {
  const table = readPlans(plans);
  try {
    const shared = { plans: table, nowMs: Date.now, mustExist };
    const admin = isRedisAddress(state)
      ? await redisAdmin({ ...shared, address: state })
      : await fileAdmin({ file: state, plans: table, mustExist });
    try {
      return await work(admin, table);
    } finally {
      await admin.close();
    }
  } catch (error) {
    throw explained(error);
  }
}

interface FileAdminOptions {
  readonly file: string;
  readonly plans: PlanTable;
  readonly mustExist: boolean;
}

/** The operator's side of a state file: through the server that has it open, otherwise by owning the file. */
async function fileAdmin(options: FileAdminOptions): Promise<AccountsAdmin> {
  for (let tries = 1; ; tries++) {
    const served = await connectToAdmin(fileBehindLinks(options.file));
    if (served !== undefined) return served;
    try {
      return ownedAdmin(options);
    } catch (error) {
      // A server that is just starting owns the file, and has no socket yet.
      if (tries === OWNER_TRIES || !isInUse(error)) throw error;
    }
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof AccountsRefused && error.code === "state_in_use";
}

/** The command owns the file until it ends. */
function ownedAdmin(options: FileAdminOptions): AccountsAdmin {
  const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
  const state = openSqliteState({ ...options, clock, roundMs: null });
  state.admin.close = () => state.close();
  return state.admin;
}

/** Imported only here: most commands, and the server's start, do without the Redis client. */
async function redisAdmin(options: RedisAdminOptions): Promise<AccountsAdmin> {
  const { openRedisAdmin } = await import("../../server/accounts/redis/redis-admin.ts");
  return await openRedisAdmin(options);
}

/**
 * Like `withAdmin`, but never makes a state: if there is none, there are no accounts either, and looking is
 * no reason to make one.
 */
export async function withAdminIfAny(
  options: StateOptions,
  work: (admin: AccountsAdmin) => Promise<void>,
): Promise<void> {
  try {
    await withAdmin(options, { mustExist: true }, work);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof AccountsRefused) || cause.code !== "no_state_file") throw error;
  }
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
