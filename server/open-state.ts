import type { Accounts } from "./accounts/accounts.ts";
import type { AccountsClock } from "./accounts/clock.ts";
import { openEmbeddedAccounts } from "./accounts/embedded/embedded-accounts.ts";
import type { PlanTable } from "./accounts/plans.ts";
import { openEmbeddedHome } from "./backtests/embedded-home.ts";
import type { JobHome } from "./backtests/job-store.ts";

export interface StateOptions {
  /** Where state is kept: the path of a file. */
  readonly state: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  /** Told what an operator should know. */
  readonly warn: (message: string) => void;
}

/** What a server keeps between requests: accounts, what they used, and their jobs. */
export interface State {
  readonly accounts: Accounts;
  /** The jobs kept beside the accounts they are charged to; closed by the caller, before the state is. */
  openJobs(report: JobReport): JobHome;
  /** Asks the store something small, for monitoring: throws or rejects where it cannot answer. */
  ping(): unknown;
  close(): Promise<void>;
}

/** Told of a failure that no caller sees. */
export type JobReport = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** Opens the state of a server where the operator keeps it. */
export async function openState(options: StateOptions): Promise<State> {
  return openEmbeddedState(options);
}

function openEmbeddedState({ state, plans, clock, warn }: StateOptions): State {
  const accounts = openEmbeddedAccounts({ file: state, plans, clock, warn });
  return {
    accounts,
    openJobs: (report) => openEmbeddedHome({ stateFile: state, accounts, ...clock, report }),
    ping: () => accounts.ping(),
    close: () => accounts.close(),
  };
}
