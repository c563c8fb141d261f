import type { Soon } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import type {
  AccountRecord,
  ChangeLine,
  EndpointUsage,
  KeyRecord,
  PageEnd,
  PeriodUsage,
  Who,
} from "./admin.ts";

/** An account in a store. Its `plan` is the one it was put on, even when a trial is over. */
export type AccountRow = Omit<AccountRecord, "trialEndsMs">;

/** An account with its usage. */
export interface StoredAccount extends AccountRow {
  /** Charged calls of this month, oldest day first, without counts that were refunded in full. */
  readonly endpoints: readonly EndpointUsage[];
  usedIn(env: KeyEnvironment, period: string): number;
}

/** Who changes something, and when. */
export interface By {
  readonly who: Who;
  readonly nowMs: number;
}

/** For this long, the keyed hash of an address that an account has left is kept. */
export const FORMER_KEPT_DAYS = 30;
/** For this long, changes are listed. */
export const CHANGES_KEPT_DAYS = 365;

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

/** What was taken under a name, until it begins anew. */
export interface Share {
  readonly taken: number;
  readonly untilMs: number;
}

/** What an account leaves for the next one with its address. */
export interface Former {
  readonly createdMs: number;
  readonly leftMs: number;
  readonly usage: readonly (readonly [env: KeyEnvironment, period: string, used: number])[];
}

/** The records of a store. Accounts have ids, shares names, and the others are found by SHA-256. */
export interface Kinds {
  readonly account: AccountRow;
  readonly key: KeyRecord;
  readonly link: StoredLink;
  readonly session: Session;
  readonly share: Share;
}

export type Kind = keyof Kinds;
/** Records that belong to an account. */
export type Owned = "key" | "link" | "session";

export interface Reads {
  get<K extends Kind>(kind: K, id: string): Soon<Kinds[K] | undefined>;
  /** An account's records by their ids, oldest first. */
  ofAccount<K extends Owned>(kind: K, accountId: string): Soon<ReadonlyMap<string, Kinds[K]>>;
  /** The id of the account with this address. */
  idOf(email: string): Soon<string | undefined>;
  /** The number of an account's keys that are in force. */
  activeKeys(accountId: string, nowMs: number): Soon<number>;
  /** What an account left behind at an address, given as its keyed hash. */
  former(address: string): Soon<Former | undefined>;
}

/** What a rule reads and writes. Writes are stored together, in their order, once the rule has ended. */
export interface Transaction extends Reads {
  /** `keptMs`: how long a new record is kept, if not for ever. */
  put<K extends Kind>(kind: K, id: string, record: Kinds[K], keptMs?: number): void;
  delete(kind: "link" | "session", id: string): void;
  /** Adds to the list of changes. */
  note(by: By, what: string, accountId: string): void;
  /** Gives a new account the usage of a former one. */
  continueUsage(accountId: string, usage: Former["usage"]): void;
  /** Raises the live usage of a period to that of another. */
  moveUsage(accountId: string, from: string, to: string): void;
  /** Keeps what an account leaves behind at an address. */
  remember(account: AccountRow, address: string, nowMs: number): void;
  /** Remembers an account, removes it with all that it has but links, and adds its usage to that of deleted accounts. */
  forget(account: AccountRow, address: string, nowMs: number): void;
}

/** A store of accounts. The rules are in `Admin` and `AccessRules`. */
export interface Records extends Reads {
  /**
   * Runs a rule and stores what it writes: all of it or nothing. If anything that it read has changed meanwhile, it runs
   * again, so it has no other effects. It refuses by throwing. Storing is the last call to the store, so that a new key is
   * not lost. `isForced`: whether the disk must have it before this resolves; true by default.
   */
  change<T>(
    rule: (tx: Transaction) => Promise<T>,
    options?: { readonly isForced?: boolean },
  ): Promise<T>;
  /** The SHA-256 of the key with this id. */
  hashOf(keyId: string): Soon<string | undefined>;
  /** The secret of keyed hashes, drawn at the first call. */
  secret(): Soon<string>;
  read(id: string, nowMs: number): Soon<StoredAccount | undefined>;
  /** Accounts by age that follow `after`. */
  list(after: PageEnd | undefined, limit: number): Soon<readonly AccountRow[]>;
  usage(after: PageEnd | undefined, limit: number, since: string): Soon<readonly PeriodUsage[]>;
  changes(after: number, limit: number): Soon<readonly ChangeLine[]>;
  close(): Promise<void>;
}
