import type { Accounts } from "../../accounts/accounts.ts";
import type { JobIntakeStore } from "../../accounts/jobs/job-store.ts";
import type { CheckSlots } from "../checks/check-slots.ts";
import type { RunCheck } from "../checks/run-check.ts";
import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Endpoint } from "../routes/endpoint.ts";
import type { AccountPages, OpenResource, Site } from "./site.ts";
import type { TableFiles } from "./table-files.ts";

/** What the service is made of. */
export interface ServiceOptions {
  readonly accounts: Accounts;
  readonly jobs: Pick<JobIntakeStore, "submit" | "find" | "underWay">;
  readonly wakeBacktests: () => void;
  /** Why jobs on this snapshot do not run beside this server; absent where none are to. */
  readonly backtestFault?: ((snapshotId: string) => string | undefined) | undefined;
  readonly checkSlots: CheckSlots;
  readonly runCheck: RunCheck;
  readonly endpoints: readonly Endpoint[];
  /** The snapshots whose files are sent. */
  readonly tables: TableFiles;
  /** Whether files with daily prices are not. */
  readonly withholdsPrices?: boolean | undefined;
  /** Bytes of tables that an account may have in a UTC day; 4 GiB by default. */
  readonly tableBytesPerDay?: number | undefined;
  readonly open: ReadonlyMap<string, OpenResource>;
  readonly site: Site;
  /** Undefined where the operator opens accounts. */
  readonly accountPages?: AccountPages | undefined;
  /** Answers assistants, whose calls come back as those of their callers. */
  readonly answerAssistant: (request: HttpRequest) => Promise<Reply>;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and subnets of proxies in front, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly nowMs: () => number;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
  readonly log: ServiceLog;
  /** Whether the accounts can be used now. */
  readonly isReachable: () => Promise<boolean>;
  /** Makes the counter, given the names of the routes; undefined for none. */
  readonly meterOf?: ((routes: readonly string[]) => ServiceMeter) | undefined;
}

/** Counts what the service does. It is called for every request. */
export interface ServiceMeter {
  over(request: HttpRequest, reply: Reply | undefined): void;
  charged(request: HttpRequest, units: number): void;
  /** A request failed because the accounts could not answer. */
  outage(error: Error): void;
}

export interface ServiceLog {
  /** Called once a request is over; undefined if that is not logged. */
  readonly over?: ((request: HttpRequest, reply: Reply | undefined) => void) | undefined;
  defect(request: HttpRequest, error: unknown): void;
  /** Called for every request that failed because the accounts could not answer. */
  outage(error: Error): void;
}
