/** The data of the account pages, as the server provides it. */
import type { FactsOf } from "../../api/record.ts";
import type { CallsOfDay, Quota } from "../../api/usage.ts";

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

export type AllowanceRow = Omit<FactsOf<typeof Quota>, "remaining">;
export type CallsRow = FactsOf<typeof CallsOfDay>;

/** A new key. Its text is shown only once. */
export interface ShownKey {
  readonly key: string;
  readonly name: string;
  /** When the key that it replaces ends; null if that has ended, undefined if it replaces none. */
  readonly replacedEndsMs?: number | null | undefined;
}

export interface AccountData {
  readonly account: {
    readonly id: string;
    readonly email: string;
    readonly trialEndsMs: number | null;
  };
  readonly plan: {
    readonly name: string;
    readonly priceUsd: number | null;
    readonly ratePerMinute: number;
    readonly backtestUnits: number | null;
    readonly concurrentRuns: number | null;
  };
  readonly allowances: readonly AllowanceRow[];
  /** Requests counted in the last 60 seconds. */
  readonly rateUsed: number;
  readonly calls: readonly CallsRow[];
  /** The keys in force. */
  readonly keys: readonly KeyRow[];
  readonly sessions: readonly {
    readonly hash: string;
    readonly device: string;
    readonly createdMs: number;
    readonly lastDay: string;
  }[];
  /** The hash of this browser's session. */
  readonly session: string;
  readonly jobs: readonly {
    readonly id: number;
    readonly status: "queued" | "running" | "done" | "error";
    readonly request: { readonly strategy: string; readonly coin: string };
    readonly createdMs: number;
    readonly errorCode: string | null;
  }[];
  readonly nowMs: number;
  /** The token that every form of this page sends. */
  readonly once: string;
  readonly shown: ShownKey | undefined;
  readonly publicUrl: string;
  /** The operator's page on which plans are bought. */
  readonly upgradeUrl: string | undefined;
  /** A coin of the board, for the first request. */
  readonly coin: string;
}
