import type { KeyEnvironment } from "./keys.ts";
import type {
  AccountRecord,
  EndpointUsage,
  KeyRecord,
  KeyReference,
  NewKey,
  PageEnd,
} from "./admin.ts";

/** An account in a store: its plan is the one it was put on, also once a trial is over. */
export type AccountRow = Omit<AccountRecord, "trialEndsMs">;

/** An account and what it has used. */
export interface StoredAccount extends AccountRow {
  /** Charged calls of this month, oldest day first. A count that was taken back in full is left out. */
  readonly endpoints: readonly EndpointUsage[];
  usedIn(env: KeyEnvironment, period: string): number;
}

/** What a command changes about an account. */
export interface AccountChange {
  /** Its new plan, and the live periods it counts in before and after: the larger count holds in the new one. */
  readonly plan?: { readonly name: string; readonly from: string; readonly to: string };
  /** A key, with the end that it gets. */
  readonly ended?: KeyRecord;
  readonly added?: NewKey;
}

type Soon<T> = T | Promise<T>;

/** What a store does for the operator's commands, whose rules are in `Admin`. */
export interface AdminStore {
  /** Stores a new account with its first key; otherwise returns the account that has its e-mail address. */
  insert(account: AccountRow, key: NewKey): Promise<string | undefined>;
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
    nowMs: number,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change>;
  close(): Promise<void>;
}
