import type { KeyEnvironment } from "./keys.ts";
import type {
  AccountRecord,
  ChangeLine,
  EndpointUsage,
  KeyRecord,
  KeyReference,
  NewKey,
  PageEnd,
  PeriodUsage,
  Who,
} from "./admin.ts";

/** An account in a store: its plan is the one it was put on, also once a trial is over. */
export type AccountRow = Omit<AccountRecord, "trialEndsMs">;

/** An account and what it has used. */
export interface StoredAccount extends AccountRow {
  /** Charged calls of this month, oldest day first. A count that was taken back in full is left out. */
  readonly endpoints: readonly EndpointUsage[];
  usedIn(env: KeyEnvironment, period: string): number;
}

/** Who changes something, and when. */
export interface By {
  readonly who: Who;
  readonly nowMs: number;
}

/** How long an address that an account has left is known by its keyed hash. */
export const FORMER_KEPT_DAYS = 30;
/** How long changes are listed. */
export const CHANGES_KEPT_DAYS = 365;

/** An account leaves its address. */
export interface Leaving extends By {
  /** The keyed hash of the address. */
  readonly former: string;
  /** The hash of the link that says so, which is used with it; refused with `link_used` if it was. */
  readonly link: string | undefined;
}

/** What is changed about an account. */
export interface AccountChange {
  /** For the list of changes; undefined if nothing is changed. */
  readonly what: string | undefined;
  readonly suspended?: boolean;
  /** Its new plan, and the live periods it counts in before and after: the larger count holds in the new one. */
  readonly plan?: { readonly name: string; readonly from: string; readonly to: string };
  /** A key, with the end that it gets. */
  readonly ended?: KeyRecord;
  readonly added?: NewKey;
}

export type Soon<T> = T | Promise<T>;

/** What a store does to accounts, whose rules are in `Admin`. */
export interface AdminStore {
  /** The key of keyed hashes, drawn when it is first asked for. */
  secret(): Soon<string>;
  /**
   * Stores a new account with its first key, as it then is: it continues a trial that the address left. Otherwise returns
   * the account that has its e-mail address.
   */
  insert(account: AccountRow, key: NewKey, by: By & { readonly former: string }): Promise<Inserted>;
  /** The id of the account with this address. */
  idOf(email: string): Soon<string | undefined>;
  read(id: string, nowMs: number): Soon<StoredAccount | undefined>;
  findKey(reference: KeyReference): Soon<KeyRecord | undefined>;
  /** An account's keys, oldest first; none if there is no such account. */
  keysOf(accountId: string): Soon<readonly KeyRecord[]>;
  /** Accounts by age, those that follow `after`. */
  list(after: PageEnd | undefined, limit: number): Soon<readonly AccountRow[]>;
  /**
   * Shows `decide` an account, and a key of it if one is named, and stores what it decides; nothing comes in between, and
   * nothing is asked afterwards, so that a new key is not lost. `decide` may be called more than once, and may refuse by
   * throwing. A key beyond those that may be in force is refused, and then nothing is stored.
   */
  change<Change extends AccountChange>(
    id: string,
    by: By,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change>;
  /** Refuses with `email_taken` if another account has the address. Links that were sent to the account hold no more. */
  changeAddress(account: AccountRow, email: string, leaving: Leaving): Promise<void>;
  remove(account: AccountRow, leaving: Leaving): Promise<void>;
  usage(after: PageEnd | undefined, limit: number, since: string): Soon<readonly PeriodUsage[]>;
  changes(after: number, limit: number): Soon<readonly ChangeLine[]>;
  close(): Promise<void>;
}

export type Inserted = { readonly taken: string } | { readonly account: AccountRow };
