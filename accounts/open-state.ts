import { dirname } from "node:path";
import type { Logger } from "pino";
import type { Accounts, AccountsClock } from "./accounts.ts";
import { AccessRules } from "./access-rules.ts";
import type { Admin } from "./accounts-admin.ts";
import { adminApi } from "./admin-api.ts";
import { listenOnAdminSocket, type AdminSocket } from "./admin-socket.ts";
import { openSqliteState } from "./sqlite/open-sqlite-state.ts";
import type { PlanTable } from "./plans.ts";
import type { JobIntakeStore } from "./jobs/job-store.ts";
import { RedisAccounts } from "./redis/redis-accounts.ts";
import { openRedisAccess } from "./redis/redis-admin.ts";
import { RedisJobIntake } from "./jobs/redis/redis-job-intake.ts";
import { SqliteJobs } from "./jobs/sqlite/sqlite-jobs.ts";
import { networkDiskOf } from "./network-disk.ts";
import { isRedisAddress } from "./redis/address.ts";

interface StateOptions {
  readonly state: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  readonly log: Logger;
}

/** What a server keeps between requests: accounts, their usage and their jobs. */
export interface State {
  readonly accounts: Accounts;
  /** They are stored with the accounts that are charged for them. */
  readonly jobs: JobIntakeStore;
  /** The same jobs for the backtest process, which does not open the file itself; undefined for Redis. */
  readonly served?: SqliteJobs;
  /** The state file; undefined for Redis. */
  readonly file?: string;
  /** What the operator's commands use of a state file. Undefined for Redis, which commands reach directly. */
  readonly admin?: Admin;
  /** What the pages of accounts need. Rejects while Redis is out of reach. */
  openAccess(): Access | Promise<Access>;
  close(): Promise<void>;
}

export interface Access {
  readonly store: AccessRules;
  readonly admin: Admin;
}

/** How long after a start every page of a state file is examined, which takes seconds for a large file. */
const EXAMINED_AFTER_MS = 5_000;
/** How long a server waits for Redis before its start fails. */
const FIRST_WAIT_MS = 5_000;

/** Opens a server's state. Fails if it is out of reach. */
export async function openState(options: StateOptions): Promise<State> {
  return isRedisAddress(options.state) ? openRedisState(options) : openEmbeddedState(options);
}

function openEmbeddedState({ state, plans, clock, log }: StateOptions): State {
  const warn = (message: string) => log.warn(message);
  const opened = openSqliteState({ file: state, plans, clock, warn });
  const { file } = opened;
  const network = networkDiskOf(dirname(file));
  if (network !== undefined) {
    warn(
      `the state file "${state}" is on a network file system (${network}), where locks do not hold: put it on a local disk or keep state in Redis`,
    );
  }
  const jobs = new SqliteJobs(opened.ledger, log);
  setTimeout(() => void opened.examine(), EXAMINED_AFTER_MS).unref();
  jobs.requeue(); // jobs that the previous server left, even if this one runs none
  const close = () => opened.close();
  const store = new AccessRules(opened.records);
  const openAccess = () => ({ store, admin: opened.admin });
  return { accounts: opened, jobs, served: jobs, file, admin: opened.admin, openAccess, close };
}

async function openRedisState({ state, plans, clock, log }: StateOptions): Promise<State> {
  const warn = (message: string) => log.warn(message);
  const accounts = new RedisAccounts({ address: state, plans, clock, warn });
  let jobs: RedisJobIntake | undefined;
  let access: Access | undefined;
  const close = async () => {
    await access?.admin.close();
    await jobs?.close();
    await accounts.close();
  };
  try {
    await accounts.whenReady(FIRST_WAIT_MS);
    await accounts.ping();
    const { identity, directory } = accounts;
    jobs = new RedisJobIntake({ address: state, clock, warn, identity, directory });
    await jobs.start(FIRST_WAIT_MS);
    const openAccess = async () => {
      access = await openRedisAccess({ address: state, plans, nowMs: clock.nowMs, warn });
      return access;
    };
    return { accounts, jobs, openAccess, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves the operator's commands. Where the file system has no sockets, the server starts without, and commands need it stopped. */
export async function serveAdmin(
  { admin, file }: State,
  log: Logger,
): Promise<AdminSocket | undefined> {
  if (admin === undefined || file === undefined) return undefined;
  try {
    return await listenOnAdminSocket(
      file,
      adminApi((who) => admin.as(who)),
    );
  } catch (error) {
    log.warn({ err: error }, "commands about accounts and keys cannot reach this server");
    return undefined;
  }
}
