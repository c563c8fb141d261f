import type { MetricValues } from "./metrics/metric.ts";
import type { ReadAhead } from "../snapshots/read-ahead.ts";

export const LOG_LEVELS = ["silent", "fatal", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface MetricsOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether a port that is taken ends the start; else the server goes without metrics, and says so. */
  readonly required: boolean;
}

/** Another process, which runs the backtests that this one takes in. */
export interface JobProcess {
  /** A backtest waits. */
  wake(): void;
  metrics(): Promise<readonly MetricValues[]>;
}

export interface ServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether other processes of this machine may listen on the same port, each taking a share of the connections. */
  readonly sharePort: boolean;
  /** Folder of published snapshots. */
  readonly snapshots: string;
  /** The snapshot in force, where somebody began to read it already. */
  readonly readAhead?: ReadAhead | undefined;
  /** Where accounts and usage are: the path of a file, or the address of a Redis. */
  readonly state: string;
  /** With a Redis: folder for notes of what it did not answer; without one they die with the process. */
  readonly notes?: string | undefined;
  readonly plans?: string | undefined;
  /** Where clients reach this server; without it, where it listens. */
  readonly publicUrl?: string | undefined;
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** "unserved": told to whoever asks in this program, on no port. Undefined for none. */
  readonly metrics?: MetricsOptions | "unserved" | undefined;
  /** Who runs backtests; undefined where whoever does looks for them. */
  readonly jobs?: JobProcess | undefined;
  /** Of the package, for the metrics. */
  readonly version: string;
  /** Which of several processes of one server this is, for log and metrics. */
  readonly process?: string | undefined;
}
