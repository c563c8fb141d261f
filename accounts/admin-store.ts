import type { Soon } from "./accounts.ts";
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

/** A change by which an account leaves its address. */
export interface Leaving extends By {
  /** The keyed hash of the address. */
  readonly former: string;
  /** The hash of the link that confirms it, which is used up with it; refused with `link_used` if it was used before. */
  readonly link: string | undefined;
}

/** A change of an account. */
export interface AccountChange {
  /** The entry in the list of changes; undefined if nothing is changed. */
  readonly what: string | undefined;
  readonly suspended?: boolean;
  /** The new plan, and the live periods counted in before and after: the larger count holds in the new one. */
  readonly plan?: { readonly name: string; readonly from: string; readonly to: string };
  /** A key with its new end. */
  readonly ended?: KeyRecord;
  readonly added?: NewKey;
}

/** The accounts in a store. The rules of changes are in `Admin`. */
export interface AdminStore {
  /** The secret of keyed hashes, drawn at the first call. */
  secret(): Soon<string>;
  /**
   * Stores a new account with its first key. If the address left a trial, the account continues it. Returns the stored
   * account, or the id of the account that already has the address.
   */
  insert(account: AccountRow, key: NewKey, by: By & { readonly former: string }): Promise<Inserted>;
  /** The id of the account with this address. */
  idOf(email: string): Soon<string | undefined>;
  read(id: string, nowMs: number): Soon<StoredAccount | undefined>;
  findKey(reference: KeyReference): Soon<KeyRecord | undefined>;
  /** An account's keys, oldest first; empty if there is no such account. */
  keysOf(accountId: string): Soon<readonly KeyRecord[]>;
  /** Accounts by age that follow `after`. */
  list(after: PageEnd | undefined, limit: number): Soon<readonly AccountRow[]>;
  /**
   * Calls `decide` with an account, and with the key if one is named, and stores its decision in the same transaction. It
   * is the last call to the store, so that a new key is not lost. `decide` may be called more than once, and may refuse by
   * throwing. With more keys than may be in force, the change is refused and nothing is stored.
   */
  change<Change extends AccountChange>(
    id: string,
    by: By,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change>;
  /** Refuses with `email_taken` if another account has the address. Links that were sent to the account become invalid. */
  changeAddress(account: AccountRow, email: string, leaving: Leaving): Promise<void>;
  remove(account: AccountRow, leaving: Leaving): Promise<void>;
  usage(after: PageEnd | undefined, limit: number, since: string): Soon<readonly PeriodUsage[]>;
  changes(after: number, limit: number): Soon<readonly ChangeLine[]>;
  close(): Promise<void>;
}

export type Inserted = { readonly taken: string } | { readonly account: AccountRow };
