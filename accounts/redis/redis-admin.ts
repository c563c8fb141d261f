import { shownAddress } from "./address.ts";
import { REDIS_WAIT_MS, RedisConnection } from "./connection.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { Admin } from "../accounts-admin.ts";
import { AccessRules } from "../access-rules.ts";
import type { PlanTable } from "../plans.ts";
import { AccountsRefused } from "../refused.ts";
import { RECORD_SCRIPTS, RedisRecords } from "./redis-records.ts";
import { OPEN_STORE, StoreIdentity } from "./store-identity.ts";

/** Time limit of a command's calls, longer than that of requests. */
const COMMAND_WAIT_MS = 5_000;
export interface RedisAdminOptions {
  readonly address: string;
  readonly plans: PlanTable;
  readonly nowMs: () => number;
  /** Whether to refuse if there are no accounts yet. */
  readonly mustExist?: boolean;
  /** Time limit for reaching Redis. */
  readonly waitMs?: number;
  readonly warn?: (message: string) => void;
}

/** The operator's actions on accounts in Redis, while servers may use them. */
export async function openRedisAdmin(options: RedisAdminOptions): Promise<Admin> {
  const redis = await connect(options, "hindsight-command");
  return adminOn(new RedisRecords(redis, COMMAND_WAIT_MS), options);
}

/** The same for a server's account pages, with links and sessions on the same connection. */
export async function openRedisAccess(options: RedisAdminOptions) {
  const redis = await connect(options, "hindsight-account-pages");
  const records = new RedisRecords(redis, REDIS_WAIT_MS);
  return { store: new AccessRules(records), admin: adminOn(records, options) };
}

function adminOn(records: RedisRecords, { plans, nowMs }: RedisAdminOptions): Admin {
  return new Admin(records, plans, nowMs, "command");
}

async function connect(options: RedisAdminOptions, name: string): Promise<RedisConnection> {
  const { address, mustExist = false, waitMs = COMMAND_WAIT_MS, warn } = options;
  let absent = false;
  let said = "";
  const identity = new StoreIdentity((reason) => redis.drop(reason));
  const redis = new RedisConnection({
    address,
    name,
    scripts: [OPEN_STORE, ...RECORD_SCRIPTS],
    async prepare(link) {
      absent = mustExist && (await link.run(OPEN_STORE, [""], COMMAND_WAIT_MS)) === null;
      if (!absent) await identity.open(link, COMMAND_WAIT_MS);
    },
    monotonicMs: () => performance.now(),
    warn: (message) => {
      said = message;
      warn?.(message);
    },
  });
  const ready = await redis.whenReady(waitMs);
  if (ready && !absent) return redis;
  await redis.close();
  if (!ready) throw new AccountsUnavailable(said === "" ? "Redis does not answer" : said);
  const where = shownAddress(address);
  throw new AccountsRefused("no_state_file", `there are no accounts at "${where}"`);
}
