import { dirname } from "node:path";
import type { Accounts } from "./accounts/accounts.ts";
import type { AccountsAdmin } from "./accounts/admin.ts";
import type { AccountsClock } from "./accounts/clock.ts";
import { EmbeddedAccounts } from "./accounts/sqlite/embedded-accounts.ts";
import { openEmbeddedAdmin } from "./accounts/sqlite/embedded-admin.ts";
import { fileBehindLinks } from "./accounts/sqlite/linked-file.ts";
import type { PlanTable } from "./accounts/plans.ts";
import { openEmbeddedHome } from "./jobs/sqlite/embedded-home.ts";
import type { JobHome } from "./jobs/job-store.ts";
import { networkDiskOf } from "./process/network-disk.ts";
import { isRedisAddress } from "./redis/address.ts";
import type { ReportFailure } from "./process/report-failure.ts";

export interface StateOptions {
  /** Where state is kept: the path of a file, or the address of a Redis. */
  readonly state: string;
  /** With a Redis: the folder for notes of what it did not answer. */
  readonly notes?: string | undefined;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  /** Called with what an operator should know. */
  readonly warn: (message: string) => void;
}

/** What a server keeps between requests: accounts, their usage and their jobs. */
export interface State {
  readonly accounts: Accounts;
  /** Opens the jobs kept beside the accounts they are charged to. The caller closes them before the state. */
  openJobs(report: ReportFailure): JobHome;
  /** The operator's side of a state file, for `main.ts` to serve; undefined for a Redis, which commands reach themselves. */
  readonly admin?: AccountsAdmin;
  /** Asks the store something small, for monitoring; throws or rejects if it cannot answer. */
  ping(): unknown;
  close(): Promise<void>;
}

/** How long a server waits for Redis before it starts. After that it starts and answers 503. */
const FIRST_WAIT_MS = 3_000;

/** Opens a server's state where the operator keeps it. */
export async function openState(options: StateOptions): Promise<State> {
  return isRedisAddress(options.state) ? openRedisState(options) : openEmbeddedState(options);
}

function openEmbeddedState({ state, plans, clock, warn }: StateOptions): State {
  const accounts = new EmbeddedAccounts({ file: state, plans, clock, warn });
  const admin = openEmbeddedAdmin({ file: state, plans, nowMs: clock.nowMs });
  const network = networkDiskOf(dirname(fileBehindLinks(state)));
  if (network !== undefined) {
    warn(
      `the state file "${state}" is on a network file system (${network}): locks and shared memory do not hold there, put it on a local disk or keep state in Redis`,
    );
  }
  return {
    accounts,
    openJobs: (report) => openEmbeddedHome({ stateFile: state, accounts, ...clock, report }),
    admin,
    ping: () => accounts.ping(),
    async close() {
      await admin.close();
      await accounts.close();
    },
  };
}

async function openRedisState({ state, notes, plans, clock, warn }: StateOptions): Promise<State> {
  // Imported only here, because loading the client would be a tenth of a start that does not need it.
  const [{ RedisAccounts }, { openRedisHome }] = await Promise.all([
    import("./accounts/redis/redis-accounts.ts"),
    import("./jobs/redis/redis-home.ts"),
  ]);
  const accounts = new RedisAccounts({ address: state, plans, clock, warn, notes });
  await accounts.whenReady(FIRST_WAIT_MS);
  const { identity, directory } = accounts;
  const jobs = { address: state, clock, warn, notes, identity, directory };
  return {
    accounts,
    openJobs: () => openRedisHome(jobs),
    ping: () => accounts.ping(),
    close: () => accounts.close(),
  };
}
