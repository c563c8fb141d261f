import {
  endedWord,
  LINK_KEPT_MS,
  LINK_LIMITS,
  SESSION_MS,
  SESSIONS_MAX,
  type AccessStore,
  type NewLink,
  type Session,
  type SigningIn,
  type SignInOutcome,
  type StoredLink,
} from "../access-store.ts";
import type { By } from "../admin-store.ts";
import { dateOf } from "../period.ts";
import type { Ledger } from "./ledger.ts";
import type { SqliteAdminStore } from "./sqlite-admin-store.ts";

const COUNTS = `
SELECT count(*) AS of_all, coalesce(sum(was_new), 0) AS of_new, coalesce(sum(address = ?2), 0) AS of_address,
  coalesce(sum(network = ?3), 0) AS of_network, coalesce(sum(once = ?4), 0) AS of_form
FROM links WHERE created_ms > ?1`;
const OPENED = `
SELECT count(*) AS opened FROM links WHERE network = ? AND network <> '' AND opened = 1 AND created_ms > ?`;
const INSERT_LINK = `
INSERT INTO links (hash, purpose, account_id, address, sealed, network, once, created_ms, was_new)
VALUES (?1, ?2, nullif(?3, ''), ?4, ?5, ?6, ?7, ?8, ?3 = '')`;
const FIND_LINK = `
SELECT purpose, account_id AS accountId, address, sealed, network, created_ms AS createdMs, used_by AS usedBy
FROM links WHERE hash = ?`;
const SESSIONS = `
SELECT hash, account_id AS accountId, device, created_ms AS createdMs, last_day AS lastDay FROM sessions`;
const KEEP_NEWEST = `
DELETE FROM sessions WHERE hash IN
  (SELECT hash FROM sessions WHERE account_id = ?1 ORDER BY created_ms DESC, hash LIMIT -1 OFFSET ?2)`;

interface Counts {
  readonly of_all: number;
  readonly of_new: number;
  readonly of_address: number;
  readonly of_network: number;
  readonly of_form: number;
}

/** Links and sessions in the state file. A sign-in is forced to the disk before it is answered. */
export class SqliteAccessStore implements AccessStore {
  readonly #ledger: Ledger;
  readonly #store: SqliteAdminStore;

  constructor(ledger: Ledger, store: SqliteAdminStore) {
    this.#ledger = ledger;
    this.#store = store;
  }

  addLink(link: NewLink): "made" | "repeated" | "limited" {
    return this.#ledger.transaction(() => {
      const { hash, purpose, accountId, address, sealed, network, once, createdMs } = link;
      const sinceMs = createdMs - LINK_LIMITS.windowMs;
      const [counts] = this.#store.all(COUNTS, sinceMs, address, network, once) as [Counts];
      if (counts.of_form > 0) return "repeated";
      if (isBeyond(counts, link)) return "limited";
      if (accountId === null && this.#opened(network, createdMs) >= LINK_LIMITS.opened) {
        return "limited";
      }
      const about = [hash, purpose, accountId ?? "", address, sealed, network] as const;
      this.#store.run(INSERT_LINK, ...about, once, createdMs);
      return "made";
    });
  }

  withdrawLink(hash: string): void {
    this.#ledger.transaction(() => this.#store.run("DELETE FROM links WHERE hash = ?", hash));
  }

  findLink(hash: string): (StoredLink & { readonly network: string }) | undefined {
    const [link] = this.#store.all(FIND_LINK, hash);
    return link as (StoredLink & { readonly network: string }) | undefined;
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
      if (this.#opened(link.network, nowMs) >= LINK_LIMITS.opened) return "limited";
      this.#store.insertNow(opens, signingIn);
      this.#store.run("UPDATE links SET opened = 1 WHERE hash = ?", linkHash);
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

  #opened(network: string, nowMs: number): number {
    const [row] = this.#store.all(OPENED, network, nowMs - LINK_KEPT_MS) as [{ opened: number }];
    return row.opened;
  }
}

function isBeyond(counts: Counts, { accountId, network }: NewLink): boolean {
  return (
    counts.of_address >= LINK_LIMITS.address ||
    (network !== "" && counts.of_network >= LINK_LIMITS.network) ||
    counts.of_all >= LINK_LIMITS.all ||
    (accountId === null && counts.of_new >= LINK_LIMITS.unknown)
  );
}
