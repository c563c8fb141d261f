/** What the pages of accounts show, as the server gives it. */

export interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly env: "live" | "test";
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdMs: number;
  readonly lastUsedMs: number | null;
  readonly expiresMs: number | null;
}

export interface AllowanceRow {
  readonly env: "live" | "test";
  readonly period: string;
  readonly used: number;
  readonly limit: number;
  readonly endsMs: number;
}

export interface CallsRow {
  readonly day: string;
  readonly env: "live" | "test";
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
}

export interface SessionRow {
  readonly hash: string;
  readonly device: string;
  readonly createdMs: number;
  readonly lastDay: string;
}

export interface JobRow {
  readonly id: number;
  readonly status: "queued" | "running" | "done" | "error";
  readonly request: { readonly strategy: string; readonly coin: string };
  readonly createdMs: number;
  readonly finishedMs: number | null;
  readonly errorCode: string | null;
}

export interface PlanRow {
  readonly name: string;
  readonly priceUsd: number | null;
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
}

/** A key that was just made: its text is shown this once. */
export interface ShownKey {
  readonly key: string;
  readonly name: string;
  /** When the key that it replaces ends; null if it has ended, undefined if there is none. */
  readonly replacedEndsMs?: number | null | undefined;
}

export interface AccountData {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly trialEndsMs: number | null;
  };
  readonly plan: PlanRow;
  readonly allowances: readonly AllowanceRow[];
  /** Requests counted in the last 60 seconds. */
  readonly rateUsed: number;
  readonly calls: readonly CallsRow[];
  /** Those in force. */
  readonly keys: readonly KeyRow[];
  readonly sessions: readonly SessionRow[];
  /** The hash of this browser's. */
  readonly session: string;
  readonly jobs: readonly JobRow[];
  readonly nowMs: number;
  /** Whether this session may make keys, change the address and delete the account. */
  readonly isFresh: boolean;
  /** What each form of this page sends along. */
  readonly once: string;
  readonly shown: ShownKey | undefined;
  /** Where the API is, and where plans are bought. */
  readonly publicUrl: string;
  readonly upgradeUrl: string | undefined;
  /** A coin of the board, for the first request. */
  readonly coin: string;
}
