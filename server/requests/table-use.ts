import type { Accounts, Caller, QuotaDecision, RateDecision } from "../../accounts/accounts.ts";
import { WindowLimit } from "./limits.ts";

const DAY_MS = 86_400_000;
/** Bodies of an account that may be under way. */
const BODIES_MAX = 32;
/** Charges of a day that are remembered. With more, files cost another call. */
const PAID_MAX = 1_000_000;

/** Tables do not count for the rate limit: one query of a reader takes up to 22 requests, and it gives up if refused. */
const NOT_COUNTED: RateDecision = {
  admitted: true,
  window: { limit: 0, remaining: 0, resetSeconds: 0, windowSeconds: 60 },
  retryAfterSeconds: 0,
};

/** What accounts have had of tables on this UTC day, by this process. */
export class TableUse {
  readonly #accounts: Accounts;
  readonly #bytesPerDay: number;
  readonly #bytes = new WindowLimit(DAY_MS);
  readonly #bodies = new Map<string, number>();
  #paid = new Map<string, Promise<QuotaDecision>>();
  #day = 0;

  constructor(accounts: Accounts, bytesPerDay: number) {
    this.#accounts = accounts;
    this.#bytesPerDay = bytesPerDay;
  }

  /** The seconds to wait if the account has had its bytes of the day; otherwise 0. */
  wait(accountId: string, nowMs: number): number {
    return this.#bytes.wait(accountId, 1, this.#bytesPerDay, nowMs);
  }

  took(accountId: string, bytes: number): void {
    this.#bytes.count(accountId, bytes);
  }

  /** Begins a body and returns how to end it; undefined if too many are under way. */
  begin(accountId: string): (() => void) | undefined {
    const underWay = this.#bodies.get(accountId) ?? 0;
    if (underWay >= BODIES_MAX) return undefined;
    this.#bodies.set(accountId, underWay + 1);
    return () => {
      const left = this.#bodies.get(accountId)! - 1; // set as it began
      if (left === 0) this.#bodies.delete(accountId);
      else this.#bodies.set(accountId, left);
    };
  }

  /** Charges a file's one call of the day, unless it is paid. The ranges of a query that come together share the charge. */
  async charge(caller: Caller, path: string, nowMs: number): Promise<QuotaDecision | "paid"> {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day || this.#paid.size >= PAID_MAX) this.#paid = new Map();
    this.#day = day;
    const paid = this.#paid;
    const name = `${caller.accountId} ${path}`;
    const known = paid.get(name);
    if (known !== undefined) {
      const decision = await known;
      return decision.charged ? "paid" : decision;
    }
    const charging = this.#spend(caller, nowMs);
    paid.set(name, charging);
    const forget = () => paid.get(name) === charging && paid.delete(name);
    const decision = await charging.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!decision.charged) forget();
    return decision;
  }

  async #spend(caller: Caller, nowMs: number): Promise<QuotaDecision> {
    const charge = { caller, nowMs, endpoint: TABLES_ENDPOINT, units: 1 };
    return await this.#accounts.spend({ ...charge, rate: NOT_COUNTED, connection: { open: true } });
  }
}

/** The name under which usage lists the calls. */
export const TABLES_ENDPOINT = "/snapshots/{id}/{file}";
