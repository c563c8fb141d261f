import type { ChildProcess } from "node:child_process";
import type { Logger } from "pino";
import type { OperatorLinks } from "../web/layout.tsx";
import type { AccountPagesAsked } from "./account-pages/account-forms.ts";
import type { MetricsOptions } from "./metrics/metrics-server.ts";

export interface ServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether other processes of this machine may listen on the same port and take a share of the connections. */
  readonly sharePort: boolean;
  /** Whether a proxy in front begins connections with a PROXY v2 preamble; refused by default. */
  readonly expectsProxy?: boolean | undefined;
  readonly snapshots: string;
  /** Where accounts and usage are kept: the path of a file, or the address of a Redis. */
  readonly state: string;
  readonly plans?: string | undefined;
  /** Where clients reach this server. By default it is where it listens. */
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  /** Addresses and subnets of proxies in front, whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Whether pages omit daily prices, which the operator may not be allowed to pass on. */
  readonly withholdsPrices?: boolean | undefined;
  /** Bytes of tables that an account may have in a UTC day. */
  readonly tableBytesPerDay?: number | undefined;
  /** Undefined where the operator opens accounts. */
  readonly accountPages?: AccountPagesAsked | undefined;
  /** The operator's own pages that every page links to. */
  readonly operator?: Omit<OperatorLinks, "hasAccounts"> | undefined;
  readonly log: Logger;
  /** Where this machine's backups are, for the metrics. */
  readonly backups?: string | undefined;
  /** Where Prometheus reads the server; undefined for nowhere. */
  readonly metrics?: MetricsOptions | undefined;
  /** Starts the process that runs backtests, with a channel to it. Undefined if other machines run them. */
  readonly startBacktests?: (() => ChildProcess) | undefined;
  /** The package's version, for the metrics. */
  readonly version: string;
}
