import { afterEach, beforeEach } from "vitest";
import type { Accounts, Caller, ChargeOutcome } from "../../../accounts/accounts.ts";
import type { AccessRules } from "../../../accounts/access-rules.ts";
import type { Admin } from "../../../accounts/accounts-admin.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import type { PlanTable } from "../../../accounts/plans.ts";
import { bearer } from "../bearer.ts";
import { charge } from "../charge.ts";

/**
 * A store of accounts under test, with everything that a test opens on it.
 */
export interface AccountsBench {
  /** The shared wall clock. */
  readonly nowMs: number;
  /** The warnings of servers. */
  readonly warnings: readonly string[];
  server(plans?: PlanTable): Promise<Accounts>;
  admin(plans?: PlanTable): Promise<Admin>;
  /** The store of links and sessions. */
  access(): Promise<AccessRules>;
  /** A new account, made by an administrator who is then closed. */
  account(plan: string, email?: string, plans?: PlanTable): Promise<NewAccount>;
  /** Lets time pass, after which servers have seen all changes. */
  pass(ms: number): Promise<void>;
  /** Sets the wall clock. */
  setWallMs(ms: number): void;
  /** Writes the last uses of keys and folds charges. */
  write(server: Accounts): Promise<void>;
  /** The whole contents of the store, as text. */
  dump(): Promise<string>;
  close(): Promise<void>;
}

/** After this many milliseconds of the fake clock, changes are seen; the contract allows two seconds. */
export const SEEN_MS = 10;
export const DAY_MS = 86_400_000;

/** Opens a new bench for each test of a suite. */
export function benchOfEachTest(open: () => Promise<AccountsBench>): () => AccountsBench {
  let bench: AccountsBench;
  beforeEach(async () => {
    bench = await open();
  });
  afterEach(() => bench.close());
  return () => bench;
}

/** The caller of a key that must be valid. */
export async function callerOf(accounts: Accounts, key: string, nowMs: number): Promise<Caller> {
  const caller = await accounts.authenticate(bearer(key), nowMs);
  if (caller === undefined) throw new Error("the key does not hold");
  return caller;
}

/** A new account, with a server and an administrator of its store. */
export async function served(bench: AccountsBench, plan: string) {
  const made = await bench.account(plan);
  return { ...made, accounts: await bench.server(), admin: await bench.admin() };
}

/** A new account on a server, with the caller of its first key. */
export async function calledBy(bench: AccountsBench, plan: string, plans?: PlanTable) {
  const made = await bench.account(plan, "a@example.com", plans);
  const accounts = await bench.server(plans);
  const now = bench.nowMs;
  return { ...made, accounts, now, caller: await callerOf(accounts, made.key, now) };
}

/** Charges several calls at once. */
export function chargeMany(
  accounts: Accounts,
  caller: Caller,
  units: readonly number[],
  nowMs: number,
): Promise<ChargeOutcome[]> {
  return Promise.all(units.map((each) => charge(accounts, caller, each, nowMs, "/signals")));
}
