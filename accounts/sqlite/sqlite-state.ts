import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeOutcome,
  type ChargeRequest,
  type QuotaDecision,
  type RateDecision,
  type Spending,
  type AccountsClock,
} from "../accounts.ts";
import { Admin } from "../accounts-admin.ts";
import type { AccountReport } from "../admin.ts";
import { keysInForce, usageOf } from "../admin-rules.ts";
import { type AuthenticatedKey, dateOf, planPeriodAt, quotaState } from "../in-force.ts";
import { missingPlans, type PlanTable } from "../plans.ts";
import { AccountMemory, KeyDirectory, type Tally } from "./account-memory.ts";
import { ChargeLog, logEntry, type LogEntry } from "./charge-log.ts";
import { WalSync } from "./wal-sync.ts";
import { Ledger } from "./ledger.ts";
import { SqliteRecords } from "./sqlite-records.ts";
import { Upkeep } from "./upkeep.ts";
import { storeFailure, type OwnedFile } from "./state-file.ts";

const ROUND_MS = 1_000;

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

/** A request of the batch that is decided and not stored yet. */
interface Decided {
  readonly request: ChargeRequest;
  readonly outcome: ChargeOutcome;
  /** The units that were added to the tally. */
  readonly units: number;
  readonly tally: Tally;
}

/** A state file that this process owns: its accounts, the operator's actions on them, and the ledger for jobs. */
export class SqliteState implements Accounts {
  /** Its path behind symbolic links. */
  readonly file: string;
  readonly admin: Admin;
  readonly ledger: Ledger;
  readonly records: SqliteRecords;
  readonly #options: SqliteStateOptions;
  readonly #owned: OwnedFile;
  readonly #memory: AccountMemory;
  readonly #log: ChargeLog;
  readonly #keys: KeyDirectory;
  readonly #disk: WalSync;
  readonly #upkeep: Upkeep;
  #batch: ChargeRequest[] = [];
  #hasFailed = false;
  #isHeld = false;
  #secret: string | undefined;
  #closed = false;

  constructor(owned: OwnedFile, options: SqliteStateOptions) {
    const { db, file } = owned;
    const { plans, clock, warn, roundMs = ROUND_MS } = options;
    this.file = file;
    this.#options = options;
    this.#owned = owned;
    const memory = (this.#memory = new AccountMemory(db, plans));
    const keys = (this.#keys = new KeyDirectory(db, memory, clock.monotonicMs));
    const log = (this.#log = new ChargeLog(db));
    const written = db.prepare("SELECT total_changes()").raw();
    const disk = (this.#disk = new WalSync({
      file,
      changes: () => (written.get() as [number])[0],
      hold: (work) => this.hold(work),
    }));
    this.ledger = new Ledger({ db, memory, log, disk, commit: () => this.#commit() });
    const records = (this.records = new SqliteRecords(this.ledger, log, (accountId) => {
      memory.changed(accountId);
      keys.changed();
    }));
    this.admin = new Admin(records, plans, clock.nowMs, "command");
    memory.restoreWindows(log.recover(Math.floor(clock.nowMs() / 1000)), clock);
    const missing = memory.missingPlans();
    if (missing.length > 0) warn?.(missingPlans(missing));
    const shared = { log, records, disk, keyUse: keys.use, nowMs: clock.nowMs };
    this.#upkeep = new Upkeep({ ...shared, warn: (reason) => this.#warn(reason) });
    if (roundMs !== null) this.#upkeep.start(roundMs);
  }

  async authenticate(authorization: string, nowMs: number): Promise<Caller | undefined> {
    return this.knownCaller(authorization, nowMs);
  }

  knownCaller(authorization: string, nowMs: number): Caller | undefined {
    return this.#usedAt(
      this.#keys.inUse.get(authorization) ?? this.#keys.find(authorization),
      nowMs,
    );
  }

  async callerOf(keyId: string, nowMs: number): Promise<Caller | undefined> {
    return this.#usedAt(this.#keys.findById(keyId), nowMs);
  }

  async secret(): Promise<string> {
    return (this.#secret ??= this.records.secret());
  }

  admit(caller: Caller): RateDecision {
    const { window } = this.#account(caller.accountId);
    return window.admit(caller.plan.ratePerMinute, this.#options.clock.monotonicMs());
  }

  charge(request: ChargeRequest): void {
    const fault = this.#closed ? "the accounts are closed" : this.#disk.fault;
    if (fault !== undefined) {
      request.settle(new AccountsUnavailable(fault));
      return;
    }
    if (this.#batch.length === 0) setImmediate(() => this.#isHeld || this.#commit());
    this.#batch.push(request);
  }

  async spend(spending: Spending): Promise<QuotaDecision> {
    return this.ledger.transaction(() => this.ledger.chargeNow(spending)).decision;
  }

  async report({ accountId }: Caller, nowMs: number): Promise<AccountReport> {
    const account = this.records.read(accountId, nowMs);
    if (account === undefined) throw new AccountsUnavailable(`account ${accountId} was removed`);
    const keys = keysInForce([...this.records.ofAccount("key", accountId).values()], nowMs);
    return { ...usageOf(account, this.#options.plans, nowMs), keys };
  }

  async rateUsed(accountId: string): Promise<number> {
    const monotonicMs = this.#options.clock.monotonicMs();
    return this.#account(accountId).window.used(monotonicMs);
  }

  async ping(): Promise<void> {
    const { damage } = this.#upkeep;
    if (damage !== undefined) throw new AccountsUnavailable(damage);
    this.ledger.ping(this.#hasFailed);
    this.#hasFailed = false;
  }

  /** Checks every page of the file in the background. Once damage is found, `ping` fails. */
  examine(): Promise<void> {
    return this.#upkeep.examine();
  }

  /** Folds the log of requests and forces the file to the disk. Runs by itself once a second. */
  round(): Promise<void> {
    return this.#upkeep.round();
  }

  /** Holds back the commits of requests while work runs that needs the file to itself. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    try {
      await work();
    } finally {
      this.#isHeld = false;
      this.#commit();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#commit();
    this.#closed = true;
    await this.#upkeep.stop();
    this.#owned.close();
  }

  /** Stores the batch and settles it. If that fails, charges fail, and free requests are answered from memory. */
  #commit(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    const decided: Decided[] = [];
    const entries: LogEntry[] = [];
    for (const request of batch) {
      try {
        const entry = this.#decide(request, decided);
        if (entry !== undefined) entries.push(entry);
      } catch (error) {
        request.settle(storeFailure(error)); // its usage could not be read
      }
    }
    const failure = this.#insert(entries);
    if (failure !== undefined) for (const { tally, units } of decided) tally.used -= units;
    for (const each of decided) this.#settle(each, failure);
  }

  /** Decides a request, counts it in memory and returns its log entry. */
  #decide(request: ChargeRequest, decided: Decided[]): LogEntry | undefined {
    const { caller, nowMs, endpoint } = request;
    const wanted = request.connection.open;
    const { env, accountId } = caller;
    const account = this.#account(accountId);
    const { plan, period } = planPeriodAt(account.plans, env, nowMs);
    const { name } = period;
    const tally = account.tallies[env].get(name) ?? this.#memory.tallyOf(account, env, name);
    const rate = request.rate!; // `admit` of this store always decides
    const kind = kindOf(request, plan.callsPerMonth - tally.used);
    const units = wanted && kind === "charged" ? request.units : 0;
    if (wanted) {
      tally.used += units;
      const { used, quota } = quotaState(tally.used, plan.callsPerMonth, period, nowMs);
      decided.push({ request, outcome: { kind, plan, rate, used, quota }, units, tally });
    }
    if (kind === "rate_limited") return undefined;
    // A request whose connection has closed was admitted, so it counts for the rate limit all the same.
    const day = dateOf(nowMs);
    const last = tally.entries.get(endpoint);
    if (last?.units === units && last.day === day) return last;
    const call = { accountId, env, period: name, day, endpoint, units };
    const entry = logEntry(call);
    tally.entries.set(endpoint, entry);
    return entry;
  }

  #insert(entries: readonly LogEntry[]): Error | undefined {
    if (entries.length === 0) return undefined;
    try {
      this.#log.insert(Math.floor(this.#options.clock.nowMs() / 1000), entries);
      this.#hasFailed = false;
      return undefined;
    } catch (error) {
      this.#hasFailed = true;
      return storeFailure(error);
    }
  }

  #settle({ request, outcome }: Decided, failure: Error | undefined): void {
    if (failure === undefined) {
      request.settle(outcome);
    } else if (request.units > 0 || !(failure instanceof AccountsUnavailable)) {
      request.settle(failure);
    } else {
      const { used, quota } = this.ledger.quotaOf(request.caller, request.nowMs);
      request.settle({ ...outcome, used, quota });
    }
  }

  #account(id: string) {
    return this.#memory.inUse.get(id) ?? this.#memory.get(id);
  }

  #usedAt(key: AuthenticatedKey | undefined, nowMs: number): Caller | undefined {
    const caller = key?.callerAt(nowMs);
    if (caller?.isUseDue(nowMs) === true) this.#keys.use.record(caller, nowMs);
    return caller;
  }

  #warn(reason: string): void {
    this.#options.warn?.(`state file "${this.file}": ${reason}`);
  }
}

function kindOf({ units, rate }: ChargeRequest, left: number): ChargeOutcome["kind"] {
  if (rate?.admitted === false) return "rate_limited";
  return units === 0 || units <= left ? "charged" : "quota_exceeded";
}
