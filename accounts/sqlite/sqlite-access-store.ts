import {
  endedWord,
  SESSION_MS,
  SESSIONS_MAX,
  type AccessStore,
  type LinkRefusal,
  type NewLink,
  type Session,
  type Shares,
  type SigningIn,
  type SignInOutcome,
  type StoredLink,
} from "../access-store.ts";
import type { By } from "../admin-store.ts";
import { dateOf } from "../period.ts";
import type { Ledger } from "./ledger.ts";
import type { SqliteAdminStore } from "./sqlite-admin-store.ts";

/** A count that has ended begins anew. */
const TAKE = `
INSERT INTO shares VALUES (?1, 1, ?3) ON CONFLICT DO UPDATE SET
  taken = iif(until_ms > ?2, taken, 0) + 1, until_ms = iif(until_ms > ?2, until_ms, ?3)`;
const TAKEN = "SELECT taken FROM shares WHERE name = ? AND until_ms > ?";
const GIVE_BACK = "UPDATE shares SET taken = taken - 1 WHERE name = ? AND taken > 0";
const INSERT_LINK = `
INSERT INTO links (hash, purpose, account_id, sealed, created_ms) VALUES (?1, ?2, nullif(?3, ''), ?4, ?5)`;
const FIND_LINK = `
SELECT purpose, account_id AS accountId, sealed, created_ms AS createdMs, used_by AS usedBy FROM links WHERE hash = ?`;
const SESSIONS = `
SELECT hash, account_id AS accountId, device, created_ms AS createdMs, last_day AS lastDay FROM sessions`;
const KEEP_NEWEST = `
DELETE FROM sessions WHERE hash IN
  (SELECT hash FROM sessions WHERE account_id = ?1 ORDER BY created_ms DESC, hash LIMIT -1 OFFSET ?2)`;

/** Links and sessions in the state file. A sign-in is forced to the disk before it is answered. */
export class SqliteAccessStore implements AccessStore {
  readonly #ledger: Ledger;
  readonly #store: SqliteAdminStore;

  constructor(ledger: Ledger, store: SqliteAdminStore) {
    this.#ledger = ledger;
    this.#store = store;
  }

  addLink(link: NewLink, shares: Shares<LinkRefusal>): "made" | LinkRefusal {
    return this.#ledger.transaction(() => {
      const { hash, purpose, accountId, sealed, createdMs } = link;
      const refusal = this.#take(shares, createdMs);
      if (refusal !== undefined) return refusal;
      this.#store.run(INSERT_LINK, hash, purpose, accountId ?? "", sealed, createdMs);
      return "made";
    });
  }

  withdrawLink(hash: string, shares: readonly string[]): void {
    this.#ledger.transaction(() => {
      this.#store.run("DELETE FROM links WHERE hash = ?", hash);
      for (const name of shares) this.#store.run(GIVE_BACK, name);
    });
  }

  findLink(hash: string): StoredLink | undefined {
    return this.#store.all(FIND_LINK, hash)[0] as StoredLink | undefined;
  }

  async signIn(signingIn: SigningIn): Promise<SignInOutcome> {
    const outcome = this.#ledger.transaction(() => this.#decide(signingIn));
    await this.#ledger.durable();
    return outcome;
  }

  findSession(hash: string, nowMs: number): Session | undefined {
    const [found] = this.#store.all(
      `${SESSIONS} WHERE hash = ? AND created_ms > ?`,
      hash,
      nowMs - SESSION_MS,
    ) as Session[];
    if (found === undefined) return undefined;
    const today = dateOf(nowMs);
    if (found.lastDay === today) return found;
    this.#ledger.transaction(() => {
      this.#store.run("UPDATE sessions SET last_day = ? WHERE hash = ?", today, hash);
    });
    return { ...found, lastDay: today };
  }

  sessionsOf(accountId: string, nowMs: number): readonly Session[] {
    const own = "WHERE account_id = ? AND created_ms > ? ORDER BY created_ms DESC, hash";
    return this.#store.all(`${SESSIONS} ${own}`, accountId, nowMs - SESSION_MS) as Session[];
  }

  async endSessions(accountId: string, hash: string | undefined, by: By): Promise<void> {
    this.#ledger.transaction(() => {
      const which = "account_id = ?1 AND (?2 = '' OR hash = ?2)";
      const ended = this.#store.run(`DELETE FROM sessions WHERE ${which}`, accountId, hash ?? "");
      if (ended > 0) this.#store.note(by, endedWord(hash), accountId);
    });
    await this.#ledger.durable();
  }

  #decide(signingIn: SigningIn): SignInOutcome {
    const { link: linkHash, email, session, opens, nowMs } = signingIn;
    const link = this.findLink(linkHash);
    if (link === undefined) return "used";
    if (link.usedBy !== null) {
      const isSame = link.usedBy === session.hash && this.findSession(session.hash, nowMs);
      return isSame ? "signed_in" : "used";
    }
    const known = this.#store.idOf(email);
    if (link.accountId !== null && link.accountId !== known) return "used";
    if (known === undefined) {
      if (opens === undefined) return "closed";
      const refusal = this.#take(signingIn.shares, nowMs);
      if (refusal !== undefined) return refusal;
      this.#store.insertNow(opens, signingIn);
    } else if (this.#store.isSuspended(known)) {
      return "suspended";
    }
    this.#begin(known ?? opens!.id, signingIn); // one of them is there
    return "signed_in";
  }

  #begin(accountId: string, { link, session, replaces = "", nowMs }: SigningIn): void {
    const store = this.#store;
    const { hash, device } = session;
    store.run("UPDATE links SET used_by = ?, account_id = ? WHERE hash = ?", hash, accountId, link);
    store.run("DELETE FROM sessions WHERE hash = ?", replaces);
    const values = [hash, accountId, device, nowMs, dateOf(nowMs)] as const;
    store.run("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", ...values);
    store.run(KEEP_NEWEST, accountId, SESSIONS_MAX);
  }

  /** Takes shares inside a transaction, or returns the outcome of the first gate that is closed. */
  #take<Outcome>({ gates, takes }: Shares<Outcome>, nowMs: number): Outcome | undefined {
    const taken = (name: string) => {
      const [share] = this.#store.all(TAKEN, name, nowMs) as { readonly taken: number }[];
      return share?.taken ?? 0;
    };
    const closed = gates.find(
      ({ full, unless }) =>
        full.every(([name, count]) => taken(name) >= count) &&
        (unless === undefined || taken(unless) === 0),
    );
    if (closed !== undefined) return closed.outcome;
    for (const [name, spanMs] of takes) this.#store.run(TAKE, name, nowMs, nowMs + spanMs);
    return undefined;
  }
}
