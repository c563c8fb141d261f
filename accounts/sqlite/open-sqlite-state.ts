import { AccountsUnavailable } from "../redis/accounts-unavailable.ts";
import { RepeatingTask } from "../../aside/repeating-task.ts";
import type {
  Accounts,
  Caller,
  ChargeRequest,
  QuotaDecision,
  RateDecision,
  Spending,
  AccountsClock,
} from "../accounts.ts";
import { Admin } from "../accounts-admin.ts";
import type { AccountReport } from "../admin.ts";
import { keysInForce, usageOf } from "../admin-rules.ts";
import { KeyUse, USE_AHEAD_MS } from "../key-use.ts";
import { DAY_MS, dateOf } from "../period.ts";
import { missingPlans, type PlanTable } from "../plans.ts";
import { AccountMemory, accountOf, KeyDirectory } from "./account-memory.ts";
import { CALLS_KEPT_DAYS, ChargeLog } from "./charge-log.ts";
import { WalSync } from "./wal-sync.ts";
import { Ledger } from "./ledger.ts";
import { SqliteRecords } from "./sqlite-records.ts";
import {
  cannotOpen,
  inTransaction,
  openStateFile,
  type Connection,
  type OwnedFile,
} from "./state-file.ts";

const ROUND_MS = 1_000;
/** The interval at which expired rows are deleted, such as links and sessions. */
const PRUNE_MS = 3_600_000;
/** Rows of `calls` that are deleted in one round. */
const CUT_ROWS_MAX = 500;
/** Keys whose last use is written in one round, which takes a millisecond or two. */
const USES_WRITTEN_MAX = 50;
/** The last use never moves back, unless it comes from a clock that was ahead. */
const WRITE_USE = `
UPDATE keys SET last_used_ms = ?1
WHERE id = ?2 AND (last_used_ms IS NULL OR last_used_ms NOT BETWEEN ?1 AND ?1 + ${USE_AHEAD_MS})`;

export interface SqliteStateOptions {
  readonly file: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  /** Reports to the operator, for example a plan in use that the table lacks, or a failing disk. */
  readonly warn?: (message: string) => void;
  /** Whether to refuse if there is no state file yet. */
  readonly mustExist?: boolean;
  /** Milliseconds between rounds; null if the caller runs `round`. */
  readonly roundMs?: number | null;
}

/** Opens a state file and makes this process its owner. Throws `AccountsRefused` if another process owns it. */
export function openSqliteState(options: SqliteStateOptions): SqliteState {
  const owned = openStateFile(options.file, { mustExist: options.mustExist });
  try {
    return new SqliteState(owned, options);
  } catch (error) {
    owned.close();
    throw cannotOpen(owned.file, error);
  }
}

/** A state file that this process owns: its accounts, the operator's actions on them, and the ledger for jobs. */
export class SqliteState implements Accounts {
  /** Its path behind symbolic links. */
  readonly file: string;
  readonly admin: Admin;
  readonly ledger: Ledger;
  readonly #options: SqliteStateOptions;
  readonly #owned: OwnedFile;
  readonly #memory: AccountMemory;
  readonly #log: ChargeLog;
  readonly #directory: KeyDirectory;
  readonly records: SqliteRecords;
  readonly #keyUse: KeyUse;
  readonly #disk: WalSync;
  readonly #rounds = new RepeatingTask(
    () => this.#round(),
    (reason) => this.#warn(reason),
  );
  #prunedMs: number;
  #damage: string | undefined;
  #closed = false;

  constructor(owned: OwnedFile, options: SqliteStateOptions) {
    const { db, file } = owned;
    const { plans, clock, roundMs = ROUND_MS } = options;
    this.file = file;
    this.#prunedMs = clock.nowMs();
    this.#options = options;
    this.#owned = owned;
    const memory = (this.#memory = new AccountMemory(db, plans));
    const directory = (this.#directory = new KeyDirectory(db, memory, clock.monotonicMs));
    const log = (this.#log = new ChargeLog(db));
    this.#keyUse = keyUseIn(db);
    const written = db.prepare("SELECT total_changes()").raw();
    this.#disk = new WalSync({
      file,
      changes: () => (written.get() as [number])[0],
      hold: (work) => this.ledger.hold(work),
    });
    this.ledger = new Ledger({ db, memory, log, clock, disk: this.#disk });
    this.records = new SqliteRecords(this.ledger, log, (accountId) => {
      memory.changed(accountId);
      directory.changed();
    });
    this.admin = new Admin(this.records, plans, clock.nowMs, "command");
    memory.restoreWindows(log.recover(Math.floor(clock.nowMs() / 1000)), clock);
    warnOfMissingPlans(db, options);
    if (roundMs !== null) this.#rounds.start(roundMs);
  }

  authenticate(authorization: string, nowMs: number): Caller | undefined {
    const caller = this.#directory.find(authorization)?.callerAt(nowMs);
    if (caller !== undefined) this.#keyUse.record(caller, nowMs);
    return caller;
  }

  admit(caller: Caller): RateDecision {
    const { window } = accountOf(caller);
    return window.admit(caller.plan.ratePerMinute, this.#options.clock.monotonicMs());
  }

  charge(request: ChargeRequest): void {
    this.ledger.charge(request);
  }

  spend(spending: Spending): QuotaDecision {
    return this.ledger.transaction(() => this.ledger.chargeNow(spending)).decision;
  }

  report({ accountId }: Caller, nowMs: number): AccountReport {
    const account = this.records.read(accountId, nowMs);
    if (account === undefined) throw new AccountsUnavailable(`account ${accountId} was removed`);
    const keys = keysInForce([...this.records.ofAccount("key", accountId).values()], nowMs);
    return { ...usageOf(account, this.#options.plans, nowMs), keys };
  }

  rateUsed(accountId: string): number {
    const monotonicMs = this.#options.clock.monotonicMs();
    return this.#memory.get(accountId).window.used(monotonicMs);
  }

  ping(): void {
    if (this.#damage !== undefined) throw new AccountsUnavailable(damagedFile(this.#damage));
    this.ledger.ping();
  }

  /** Checks every page of the file in the background. Once damage is found, `ping` fails. */
  async examine(): Promise<void> {
    this.#damage = await this.#disk.examine();
    if (this.#damage !== undefined) this.#warn(damagedFile(this.#damage));
  }

  /** Folds the log of requests and forces the file to the disk. Runs by itself once a second. */
  round(): Promise<void> {
    return this.#rounds.next();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.ledger.close();
    await this.#rounds.stop();
    await this.round();
    await this.#disk.close().catch((error: Error) => this.#warn(error.message));
    this.#owned.close();
  }

  /** After a failure, the rows stay for the next round. */
  async #round(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    await this.#keyUse.write();
    await this.#log.fold();
    this.#log.forgetBefore(Math.floor(nowMs / 1000));
    this.#log.cutCalls(dateOf(nowMs - CALLS_KEPT_DAYS * DAY_MS), CUT_ROWS_MAX);
    if (Math.abs(nowMs - this.#prunedMs) >= PRUNE_MS) {
      this.#prunedMs = nowMs;
      this.records.prune(nowMs);
    }
    await this.#disk.round();
  }

  #warn(reason: string): void {
    this.#options.warn?.(`state file "${this.file}": ${reason}`);
  }
}

function damagedFile(damage: string): string {
  return `the state file is damaged (${damage}): restore a backup`;
}

function keyUseIn(db: Connection): KeyUse {
  const update = db.prepare(WRITE_USE);
  return new KeyUse(USES_WRITTEN_MAX, (uses) =>
    inTransaction(db, () => {
      for (const [keyId, usedMs] of uses) update.run([usedMs, keyId]);
    }),
  );
}

/** Skips from plan to plan in their index, so that the cost does not grow with the number of accounts. */
function warnOfMissingPlans(db: Connection, { plans, warn }: SqliteStateOptions): void {
  const next = db.prepare("SELECT min(plan) FROM accounts WHERE plan > ?").raw();
  const missing: string[] = [];
  let [plan] = next.get([""]) as [string | null];
  while (plan !== null) {
    if (!plans.has(plan)) missing.push(plan);
    [plan] = next.get([plan]) as [string | null];
  }
  if (missing.length > 0) warn?.(missingPlans(missing));
}
