import type { Soon } from "./accounts.ts";
import type { AccountRow, By } from "./admin-store.ts";

/** The purpose of a link. A link works for its own purpose only. */
export type LinkPurpose = "sign_in" | "change_address" | "delete_account";

/** For this long, a link is valid. */
export const LINK_MS = 15 * 60_000;
/** `usedBy` of a link that has changed or deleted an account. */
export const DONE = "done";
/** `usedBy` of an unused link that another change has made invalid. */
export const VOID = "void";
/** For this long, the row of a link is kept. */
export const LINK_KEPT_MS = 3_600_000;
export const SESSION_MS = 30 * 24 * 3_600_000;
/** With more sessions, the oldest of the account ends. */
export const SESSIONS_MAX = 50;

/** Whether an instant is less than this long ago, or ahead, since the clocks of servers may differ. */
export function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}

/** The entry in the list of changes. */
export function endedWord(hash: string | undefined): string {
  return hash === undefined ? "all sessions ended" : "session ended";
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

export interface NewLink {
  /** SHA-256 of its token. */
  readonly hash: string;
  readonly purpose: LinkPurpose;
  /** The account it belongs to; null if the address had none. */
  readonly accountId: string | null;
  /** The address it is sent to, encrypted with the token. */
  readonly sealed: string;
  readonly createdMs: number;
}

export interface StoredLink extends Omit<NewLink, "hash"> {
  /** The hash of the session it opened, `DONE` or `VOID`; null if it was not used. */
  readonly usedBy: string | null;
}

export interface Session {
  /** SHA-256 of the cookie. */
  readonly hash: string;
  /** The browser and system, such as "Firefox on Linux". */
  readonly device: string;
  readonly accountId: string;
  readonly createdMs: number;
  /** The last UTC day on which it was used. */
  readonly lastDay: string;
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

/** Links and sessions in a store. Each method is one transaction, for all servers that share the store. */
export interface AccessStore {
  /** Stores a link and takes its shares, or does nothing and says why. */
  addLink(link: NewLink, shares: Shares<LinkRefusal>): Soon<"made" | LinkRefusal>;
  /** Removes a link whose mail was not sent, and gives these shares back. */
  withdrawLink(hash: string, shares: readonly string[]): Soon<void>;
  findLink(hash: string): Soon<StoredLink | undefined>;
  /**
   * Uses a link to open a session and, if needed, an account. The same link and session again give "signed_in": the
   * button was pressed twice, or the first answer was lost.
   */
  signIn(signingIn: SigningIn): Promise<SignInOutcome>;
  /** A session that has not ended. Records that it was used today. */
  findSession(hash: string, nowMs: number): Soon<Session | undefined>;
  /** Newest first. */
  sessionsOf(accountId: string, nowMs: number): Soon<readonly Session[]>;
  /** Ends one session of an account, or all if none is named. */
  endSessions(accountId: string, hash: string | undefined, by: By): Promise<void>;
}
