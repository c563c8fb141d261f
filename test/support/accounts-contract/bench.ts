import { afterEach, beforeEach } from "vitest";
import type { Accounts, Caller, ChargeDecision } from "../../../server/accounts/accounts.ts";
import type { AccountsAdmin, NewAccount } from "../../../server/accounts/admin.ts";
import type { PlanTable } from "../../../server/accounts/plans.ts";
import { bearer } from "../bearer.ts";
import { charge } from "../charge.ts";

/** A store of accounts for the contract that every store passes, and whoever a test opens on it. */
export interface AccountsBench {
  /** The wall clock of everybody on it. */
  readonly nowMs: number;
  /** What servers warned of. */
  readonly warnings: readonly string[];
  server(plans?: PlanTable): Promise<Accounts>;
  admin(plans?: PlanTable): Promise<AccountsAdmin>;
  /** A new account, made by an administrator who leaves again. */
  account(plan: string, email?: string, plans?: PlanTable): Promise<NewAccount>;
  /** Lets time pass, and servers see what changed. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock. */
  setWallMs(ms: number): void;
  /** Writes what servers write lazily. */
  write(server: Accounts): Promise<void>;
  /** Everything that is stored, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds after which a change made elsewhere is seen; the contract allows two seconds. */
export const SEEN_MS = 10;
export const DAY_MS = 86_400_000;

/** The bench of each test of a suite. */
export function benchOfEachTest(open: () => Promise<AccountsBench>): () => AccountsBench {
  let bench: AccountsBench;
  beforeEach(async () => {
    bench = await open();
  });
  afterEach(() => bench.close());
  return () => bench;
}

/** The caller behind a key that must hold. */
export async function callerOf(accounts: Accounts, key: string, nowMs: number): Promise<Caller> {
  const caller = await accounts.authenticate(bearer(key), nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  return caller;
}

/** Charges several calls at once. */
export function chargeMany(
  accounts: Accounts,
  caller: Caller,
  units: readonly number[],
  nowMs: number,
): Promise<ChargeDecision[]> {
  return Promise.all(units.map((each) => charge(accounts, caller, each, nowMs, "/signals")));
}
