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
/** For this long, the row of a link is kept for the limits. */
export const LINK_KEPT_MS = 24 * 3_600_000;
export const SESSION_MS = 30 * 24 * 3_600_000;
/** With more sessions, the oldest of the account ends. */
export const SESSIONS_MAX = 50;

const HOUR_MS = 3_600_000;

/** Limits of links and accounts. Beyond them no mail is sent. */
export const LINK_LIMITS = {
  windowMs: HOUR_MS,
  address: 3,
  network: 10,
  all: 200,
  /** Links to addresses without an account: the rest is reserved for addresses with one. */
  unknown: 100,
  /** Accounts that a network opens while the rows of their links are kept. */
  opened: 5,
} as const;

/** Whether an instant is less than this long ago, or ahead, since the clocks of servers may differ. */
export function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}

/** The entry in the list of changes. */
export function endedWord(hash: string | undefined): string {
  return hash === undefined ? "all sessions ended" : "session ended";
}

export interface NewLink {
  /** SHA-256 of its token. */
  readonly hash: string;
  readonly purpose: LinkPurpose;
  /** The account it belongs to; null if the address had none. */
  readonly accountId: string | null;
  /** Keyed hash of the address it is sent to. */
  readonly address: string;
  /** That address, encrypted with the token. */
  readonly sealed: string;
  /** Keyed hash of the network that asked for it; "" for one without limits. */
  readonly network: string;
  /** Hash of the form's token: posting the form twice makes one link. */
  readonly once: string;
  readonly createdMs: number;
}

export interface StoredLink extends Pick<
  NewLink,
  "purpose" | "accountId" | "address" | "sealed" | "createdMs"
> {
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
}

/**
 * `used`: the link is not valid, or no longer. `closed`: there is no account, and none may be opened. `limited`: the
 * network has opened its limit of accounts. `suspended`: the account is suspended.
 */
export type SignInOutcome = "signed_in" | "used" | "closed" | "limited" | "suspended";

/** Links and sessions in a store. Each method is one transaction, for all servers that share the store. */
export interface AccessStore {
  /** `repeated`: the form was posted twice. `limited`: nothing was stored. */
  addLink(link: NewLink): Soon<"made" | "repeated" | "limited">;
  /** Removes a link whose mail was not sent; it no longer counts for the limits. */
  withdrawLink(hash: string): Soon<void>;
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
