import type { Caller, ChargeDecision, KeyEnvironment } from "../../accounts/accounts.ts";
import type { Connection } from "../../accounts/sqlite/state-file.ts";

interface Payment {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly units: number;
  readonly chargedMs: number;
}

/** The accounts that jobs are charged to, on the one connection to the state file. */
export interface JobLedger {
  readonly db: Connection;
  /** Stores the charges that are pending, and then makes all these changes or none. */
  transaction<T>(work: () => T): T;
  chargeNow(charge: {
    readonly caller: Caller;
    readonly units: number;
    readonly nowMs: number;
    readonly endpoint: string;
  }): { readonly decision: ChargeDecision; readonly period: string };
  refund(payment: Payment, how: { readonly forget: boolean }): void;
  quotaOf(caller: Caller, nowMs: number): ChargeDecision;
  /** Resolves once everything written so far is on the disk. */
  durable(): Promise<void>;
}

