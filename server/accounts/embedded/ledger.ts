import {
  AccountsUnavailable,
  type Caller,
  type ChargeDecision,
  type ChargeRequest,
  type QuotaState,
} from "../accounts.ts";
import { dateOf, periodOf, type Period } from "../period.ts";
import { quotaState, takeInOrder } from "../quota.ts";
import { callerAt, type KeyDirectory, type KnownKey } from "./directory.ts";
import type { Connection } from "./state-file.ts";

/**
 * What accounts have used, and the decision whether a charge fits. Charges are decided inside a write
 * transaction that the caller holds open, so under SQLite's write lock: any number of processes on
 * one file spend the last unit once.
 */
const ADD_USED = `
UPDATE usage SET used = used + ?1
WHERE account_id = ?2 AND env = ?3 AND period = ?4 AND used + ?1 <= ?5
RETURNING used`;

const ADD_CALLS = `
INSERT INTO calls VALUES (?1, ?2, ?3, ?4, ?5, ?6)
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`;

export type Charge = Omit<ChargeRequest, "settle">;
export type Outcome<C extends Charge> = readonly [charge: C, outcome: ChargeDecision | Error];

/** Charges of one caller and period, in the order they came. */
interface Batch<C extends Charge> {
  readonly caller: Caller;
  readonly period: Period;
  readonly charges: C[];
}

export class Ledger {
  readonly #directory: KeyDirectory;
  readonly #statements;

  constructor(db: Connection, directory: KeyDirectory) {
    this.#directory = directory;
    this.#statements = {
      revision: db.prepare("SELECT revision FROM store").raw(),
      add: db.prepare(ADD_USED).raw(),
      open: db.prepare("INSERT INTO usage VALUES (?, ?, ?, 0) ON CONFLICT DO NOTHING"),
      used: db
        .prepare("SELECT used FROM usage WHERE account_id = ? AND env = ? AND period = ?")
        .raw(),
      addCalls: db.prepare(ADD_CALLS),
    };
  }

  /** Decides charges and writes them, inside the write transaction that is open on this connection. */
  charge<C extends Charge>(charges: readonly C[]): readonly Outcome<C>[] {
    const [revision] = this.#statements.revision.get() as [number];
    // Nobody can change an account while the lock is held: what is read now is in force.
    if (revision !== this.#directory.revision) this.#directory.refresh();
    const { batches, refused } = batchesOf(charges, this.#directory);
    return [...refused, ...batches.flatMap((batch) => this.#chargeBatch(batch))];
  }

  /** One charge, for a transaction that writes more than the charge. `period` names what a refund goes to. */
  chargeNow(charge: Charge): { readonly decision: ChargeDecision; readonly period: string } {
    const [outcome] = this.charge([charge]);
    if (outcome === undefined) throw new Error("a charge was left undecided");
    if (outcome[1] instanceof Error) throw outcome[1];
    const known = this.#directory.reread(charge.caller);
    return { decision: outcome[1], period: standingAt(known, charge.nowMs).period.name };
  }

  /** The state of a caller's period without charging. */
  stateOf(caller: Caller, nowMs: number): QuotaState {
    const known = this.#directory.keyOf(caller);
    const { caller: now, period } = standingAt(known, nowMs);
    return quotaState(this.#used(now, period), now.plan.callsPerMonth, period, nowMs);
  }

  #used(caller: Caller, period: Period): number {
    const row = this.#statements.used.get(caller.accountId, caller.env, period.name);
    return row === undefined ? 0 : (row as [number])[0];
  }

  #chargeBatch<C extends Charge>(batch: Batch<C>): readonly Outcome<C>[] {
    const { caller, period, charges } = batch;
    const limit = caller.plan.callsPerMonth;
    const units = charges.map((charge) => charge.units);
    const total = units.reduce((sum, each) => sum + each, 0);
    const account = [caller.accountId, caller.env, period.name] as const;
    const row = this.#statements.add.get(total, ...account, limit) as [number] | undefined;
    const before = row === undefined ? this.#chargeWhatFits(batch, units) : row[0] - total;
    const { taken } = takeInOrder(units, before, limit);
    this.#countCalls(
      caller,
      charges.filter((_, index) => taken[index]),
    );
    let used = before;
    return charges.map((charge, index) => {
      const charged = taken[index] === true;
      if (charged) used += charge.units;
      const state = quotaState(used, limit, period, charge.nowMs);
      return [charge, { charged, plan: caller.plan, ...state }];
    });
  }

  /** Not all of them fit, or it is the period's first charge. Returns what was used before. */
  #chargeWhatFits<C extends Charge>(
    { caller, period }: Batch<C>,
    units: readonly number[],
  ): number {
    const account = [caller.accountId, caller.env, period.name] as const;
    const limit = caller.plan.callsPerMonth;
    const before = this.#used(caller, period);
    const { used } = takeInOrder(units, before, limit);
    if (used > before) {
      this.#statements.open.run(...account);
      this.#statements.add.get(used - before, ...account, limit);
    }
    return before;
  }

  #countCalls(caller: Caller, charges: readonly Charge[]): void {
    for (const [day, endpoint, calls, units] of tally(charges)) {
      this.#statements.addCalls.run(day, caller.accountId, caller.env, endpoint, calls, units);
    }
  }
}

/** Who is charged, and for which period, at an instant. */
function standingAt(
  known: KnownKey,
  nowMs: number,
): { readonly caller: Caller; readonly period: Period } {
  const caller = callerAt(known, nowMs);
  return { caller, period: periodOf(caller.env, caller.plan.name, known.trialEndsMs, nowMs) };
}

/**
 * Charges by caller as of now and by period, which differs within a group only at an edge. An account
 * that cannot be served does not take the others' charges with it.
 */
function batchesOf<C extends Charge>(
  charges: readonly C[],
  directory: KeyDirectory,
): { readonly batches: readonly Batch<C>[]; readonly refused: readonly Outcome<C>[] } {
  const batches: Batch<C>[] = [];
  const refused: Outcome<C>[] = [];
  const latest = new Map<Caller, Batch<C>>();
  for (const charge of charges) {
    const known = rereadOrFail(charge, directory);
    if (known instanceof AccountsUnavailable) {
      refused.push([charge, known]);
      continue;
    }
    const { caller, period } = standingAt(known, charge.nowMs);
    const batch = latest.get(caller);
    if (batch !== undefined && batch.period.name === period.name) {
      batch.charges.push(charge);
      continue;
    }
    const opened = { caller, period, charges: [charge] };
    batches.push(opened);
    latest.set(caller, opened);
  }
  return { batches, refused };
}

function rereadOrFail({ caller }: Charge, directory: KeyDirectory): KnownKey | AccountsUnavailable {
  try {
    return directory.reread(caller);
  } catch (error) {
    if (error instanceof AccountsUnavailable) return error;
    throw error;
  }
}

/** Charged calls by day and endpoint: a row of the `calls` table each. */
function tally(
  charges: readonly Charge[],
): readonly (readonly [day: string, endpoint: string, calls: number, units: number])[] {
  const rows: [string, string, number, number][] = [];
  for (const { nowMs, endpoint, units } of charges) {
    const day = dateOf(nowMs);
    const row = rows.find((each) => each[0] === day && each[1] === endpoint);
    if (row === undefined) {
      rows.push([day, endpoint, 1, units]);
    } else {
      row[2] += 1;
      row[3] += units;
    }
  }
  return rows;
}
