import type { AccountRow, By, Soon } from "./admin-store.ts";

/** What a link of a mail is for. None does what another is for. */
export type LinkPurpose = "sign_in" | "change_address" | "delete_account";

/** How long a link holds. */
export const LINK_MS = 15 * 60_000;
/** What a link was used by that has changed or deleted an account. */
export const DONE = "done";
/** What one was used by that holds no more, because something else has happened. */
export const VOID = "void";
/** How long its row counts for the limits. */
export const LINK_KEPT_MS = 24 * 3_600_000;
export const SESSION_MS = 30 * 24 * 3_600_000;
/** At another sign-in, the oldest session ends. */
export const SESSIONS_MAX = 50;

const HOUR_MS = 3_600_000;

/** How many links and accounts there may be; beyond it, no mail is sent. */
export const LINK_LIMITS = {
  windowMs: HOUR_MS,
  address: 3,
  network: 10,
  all: 200,
  /** Of all of them, to addresses without an account: the others are kept for addresses with one. */
  unknown: 100,
  /** New accounts from a network while the rows of their links are kept. */
  opened: 5,
} as const;

/** Whether an instant is less than this long ago. The clocks of servers may differ, so it may also be that far ahead. */
export function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}

/** For the list of changes. */
export function endedWord(hash: string | undefined): string {
  return hash === undefined ? "all sessions ended" : "session ended";
}

export interface NewLink {
  /** SHA-256 of its token. */
  readonly hash: string;
  readonly purpose: LinkPurpose;
  /** Whose it is; null if the address had no account. */
  readonly accountId: string | null;
  /** Keyed hash of the address it was sent to. */
  readonly address: string;
  /** That address, which only the token opens. */
  readonly sealed: string;
  /** Keyed hash of the network it was asked from; "" for one without limits. */
  readonly network: string;
  /** Hash of what the form sends with each of its posts: a second one makes no second link. */
  readonly once: string;
  readonly createdMs: number;
}

export interface StoredLink extends Pick<
  NewLink,
  "purpose" | "accountId" | "address" | "sealed" | "createdMs"
> {
  /** What its use made: the hash of a session, or a word; null if it is not used. */
  readonly usedBy: string | null;
}

export interface NewSession {
  /** SHA-256 of the cookie. */
  readonly hash: string;
  /** What the browser says it is, in a few words. */
  readonly device: string;
  /** The session that this browser had before. */
  readonly replaces: string | undefined;
}

export interface Session extends Pick<NewSession, "hash" | "device"> {
  readonly accountId: string;
  readonly createdMs: number;
  /** The last day it was used. */
  readonly lastDay: string;
}

export interface SigningIn extends By {
  /** The hash of the link. */
  readonly link: string;
  readonly email: string;
  /** Keyed hash of the address. */
  readonly former: string;
  readonly session: NewSession;
  /** Stored if the address has no account; undefined if none may be opened. */
  readonly opens: AccountRow | undefined;
}

/**
 * `used`: the link does not hold, or not any more. `closed`: there is no account, and none may be opened. `limited`: the
 * network has opened enough. `suspended`: the account is.
 */
export type SignInOutcome = "signed_in" | "used" | "closed" | "limited" | "suspended";

/** Links and sessions in a store. Each method is one transaction, and holds for all servers. */
export interface AccessStore {
  /** `repeated`: the form was posted twice. `limited`: nothing was stored. */
  addLink(link: NewLink): Soon<"made" | "repeated" | "limited">;
  /** The mail was not sent: the link does not hold, and does not count. */
  withdrawLink(hash: string): Soon<void>;
  findLink(hash: string): Soon<StoredLink | undefined>;
  /**
   * Uses a link for a session and, if need be, an account. The same session made again by the same link is the same: the
   * button was pressed twice, or the first answer was lost.
   */
  signIn(signingIn: SigningIn): Promise<SignInOutcome>;
  /** A session that has not ended, and notes that it was used today. */
  findSession(hash: string, nowMs: number): Soon<Session | undefined>;
  /** The newest first. */
  sessionsOf(accountId: string, nowMs: number): Soon<readonly Session[]>;
  /** Ends one session of an account, or all of them. */
  endSessions(accountId: string, hash: string | undefined, by: By): Promise<void>;
}
