import { openAccount } from "./admin-rules.ts";
import { dateOf } from "./in-force.ts";
import {
  LINK_KEPT_MS,
  SESSION_MS,
  type AccountRow,
  type By,
  type NewLink,
  type Records,
  type Session,
  type Share,
  type StoredLink,
  type Transaction,
} from "./records.ts";

/** With more sessions, the oldest of the account ends. */
export const SESSIONS_MAX = 50;

/** Whether an instant is less than this long ago, or ahead, since the clocks of servers may differ. */
export function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}

/** Refuses with an outcome once each of its counts is full, unless something else was counted. */
export interface Gate<Outcome> {
  readonly outcome: Outcome;
  readonly full: readonly (readonly [name: string, count: number])[];
  readonly unless?: string;
}

/** What has to be free before something is done, and what it takes: counts by keyed hashes, each with how long it lasts. */
export interface Shares<Outcome> {
  readonly gates: readonly Gate<Outcome>[];
  readonly takes: readonly (readonly [name: string, spanMs: number])[];
}

export interface SigningIn extends By {
  /** The hash of the link. */
  readonly link: string;
  readonly email: string;
  /** Keyed hash of the address. */
  readonly former: string;
  readonly session: Pick<Session, "hash" | "device">;
  /** The hash of this browser's former session, which ends. */
  readonly replaces: string | undefined;
  /** The account to open if the address has none; undefined if none may be opened. */
  readonly opens: AccountRow | undefined;
  /** What opening one takes. */
  readonly shares: Shares<SignInOutcome>;
}

/**
 * `used`: the link is not valid, or no longer. `closed`: there is no account, and none may be opened. `limited`: the
 * network has opened its limit of accounts. `mailbox`: another address of the mailbox has opened one. `suspended`: the
 * account is suspended.
 */
export type SignInOutcome = "signed_in" | "used" | "closed" | "limited" | "mailbox" | "suspended";

/**
 * What becomes of a form that asks for a link. `repeated`: it was posted twice. Of a link whose mail the mail server did
 * not take, `failed` may succeed later, and `refused` not.
 */
export const LINK_OUTCOMES = [
  "made",
  "repeated",
  "limited_address",
  "limited_network",
  "limited_all",
  "failed",
  "refused",
] as const;
export type LinkOutcome = (typeof LINK_OUTCOMES)[number];

/** Why there is no link. */
export type LinkRefusal = Exclude<LinkOutcome, "made" | "failed" | "refused">;

/** The rules of links and sessions, for all servers that share a store. Each method is one transaction. */
export class AccessRules {
  readonly #records: Records;

  constructor(records: Records) {
    this.#records = records;
  }

  /** Stores a link and takes its shares, or does nothing and says why. */
  addLink(link: NewLink, shares: Shares<LinkRefusal>): Promise<"made" | LinkRefusal> {
    const { hash, ...row } = link;
    return this.#records.change(
      async (tx) => {
        const refusal = await take(tx, shares, link.createdMs);
        if (refusal !== undefined) return refusal;
        tx.put("link", hash, { ...row, usedBy: null }, LINK_KEPT_MS);
        return "made";
      },
      { isForced: false },
    );
  }

  /** Removes a link whose mail was not sent, and gives these shares back. */
  withdrawLink(hash: string, shares: readonly string[]): Promise<void> {
    return this.#records.change(
      async (tx) => {
        tx.delete("link", hash);
        for (const name of shares) {
          const share = await tx.get("share", name);
          if (share && share.taken > 0) tx.put("share", name, { ...share, taken: share.taken - 1 });
        }
      },
      { isForced: false },
    );
  }

  async findLink(hash: string): Promise<StoredLink | undefined> {
    return await this.#records.get("link", hash);
  }

  /**
   * Uses a link to open a session and, if needed, an account. The same link and session again give "signed_in": the
   * button was pressed twice, or the first answer was lost.
   */
  signIn(signingIn: SigningIn): Promise<SignInOutcome> {
    const { link: linkHash, email, session, opens, nowMs } = signingIn;
    return this.#records.change(async (tx) => {
      const [link, known] = await Promise.all([tx.get("link", linkHash), tx.idOf(email)]);
      if (link === undefined) return "used";
      if (link.usedBy !== null) {
        const isSame = link.usedBy === session.hash && (await tx.get("session", session.hash));
        return isSame ? "signed_in" : "used";
      }
      if (link.accountId !== null && link.accountId !== known) return "used";
      if (known !== undefined) {
        const account = await tx.get("account", known);
        if (account?.suspendedMs !== null) return "suspended";
        await begin(tx, known, link, signingIn);
        return "signed_in";
      }
      if (opens === undefined) return "closed";
      const refusal = await take(tx, signingIn.shares, nowMs);
      if (refusal !== undefined) return refusal;
      await openAccount(tx, opens, signingIn);
      await begin(tx, opens.id, link, signingIn);
      return "signed_in";
    });
  }

  /** A session that has not ended. Records that it was used today. */
  async findSession(hash: string, nowMs: number): Promise<Session | undefined> {
    const found = await this.#records.get("session", hash);
    if (found === undefined || !isWithin(SESSION_MS, found.createdMs, nowMs)) return undefined;
    const lastDay = dateOf(nowMs);
    if (found.lastDay === lastDay) return found;
    const use = async (tx: Transaction) => {
      const session = await tx.get("session", hash);
      if (session !== undefined) tx.put("session", hash, { ...session, lastDay });
    };
    await this.#records.change(use, { isForced: false });
    return { ...found, lastDay };
  }

  /** Newest first. */
  async sessionsOf(accountId: string, nowMs: number): Promise<readonly Session[]> {
    const sessions = [...(await this.#records.ofAccount("session", accountId)).values()];
    return sessions.filter(({ createdMs }) => isWithin(SESSION_MS, createdMs, nowMs)).reverse();
  }

  /** Ends one session of an account, or all if none is named. */
  endSessions(accountId: string, hash: string | undefined, by: By): Promise<void> {
    return this.#records.change(async (tx) => {
      const hashes = [...(await tx.ofAccount("session", accountId)).keys()];
      const ended = hashes.filter((each) => hash === undefined || each === hash);
      for (const each of ended) tx.delete("session", each);
      const what = hash === undefined ? "all sessions ended" : "session ended";
      if (ended.length > 0) tx.note(by, what, accountId);
    });
  }
}

/** Uses a link up and begins a session. With too many, the oldest of the account end. */
async function begin(
  tx: Transaction,
  accountId: string,
  link: StoredLink,
  { link: linkHash, session: { hash, device }, replaces, nowMs }: SigningIn,
): Promise<void> {
  tx.put("link", linkHash, { ...link, usedBy: hash, accountId });
  if (replaces !== undefined) tx.delete("session", replaces);
  const session = { hash, accountId, device, createdMs: nowMs, lastDay: dateOf(nowMs) };
  tx.put("session", hash, session, SESSION_MS);
  const own = [...(await tx.ofAccount("session", accountId)).keys()];
  const others = own.filter((each) => each !== replaces);
  for (const each of others.slice(0, Math.max(0, others.length + 1 - SESSIONS_MAX)))
    tx.delete("session", each);
}

/** Takes shares, or returns the outcome of the first gate that is closed. */
async function take<Outcome>(
  tx: Transaction,
  { gates, takes }: Shares<Outcome>,
  nowMs: number,
): Promise<Outcome | undefined> {
  const named = gates.flatMap(({ full, unless }) => [...full.map(([name]) => name), unless ?? []]);
  const names = new Set([...named.flat(), ...takes.map(([name]) => name)]);
  const shares = new Map<string, Share | undefined>();
  const read = async (name: string) => {
    const share = await tx.get("share", name);
    if (share !== undefined && share.untilMs > nowMs) shares.set(name, share);
  };
  await Promise.all([...names].map(read));
  const taken = (name: string) => shares.get(name)?.taken ?? 0;
  const closed = gates.find(
    ({ full, unless }) =>
      full.every(([name, count]) => taken(name) >= count) &&
      (unless === undefined || taken(unless) === 0),
  );
  if (closed !== undefined) return closed.outcome;
  for (const [name, spanMs] of takes) {
    const share = shares.get(name);
    if (share === undefined) tx.put("share", name, { taken: 1, untilMs: nowMs + spanMs }, spanMs);
    else tx.put("share", name, { ...share, taken: share.taken + 1 });
  }
  return undefined;
}
