import type { MetricValues } from "./metrics/metric.ts";
import type { ReadAhead } from "../snapshots/read-ahead.ts";

export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface MetricsOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether a port that is taken ends the start. If not, the server goes without metrics and says so. */
  readonly required: boolean;
}

/** Another process, which runs the backtests that this one takes in. */
export interface JobProcess {
  /** Call when a backtest waits. */
  wake(): void;
  metrics(): Promise<readonly MetricValues[]>;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Whether other processes of this machine may listen on the same port and take a share of the connections.
   */
  readonly sharePort: boolean;
  /** The folder of published snapshots. */
  readonly snapshots: string;
  /** The current snapshot, if somebody has already begun to read it. */
  readonly readAhead?: ReadAhead | undefined;
  /** Where accounts and usage are kept: the path of a file, or the address of a Redis. */
  readonly state: string;
  /**
   * With a Redis: the folder for notes of what it did not answer; without one, notes die with the process.
   */
  readonly notes?: string | undefined;
  readonly plans?: string | undefined;
  /** Where clients reach this server; by default, where it listens. */
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** "unserved": other parts of this program read them, on no port. Undefined for none. */
  readonly metrics?: MetricsOptions | "unserved" | undefined;
  /** Who runs backtests; undefined if whoever does finds them by itself. */
  readonly jobs?: JobProcess | undefined;
  /** The package's version, for the metrics. */
  readonly version: string;
  /** Which of a server's processes this is, for log and metrics. */
  readonly process?: string | undefined;
}
