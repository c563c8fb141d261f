import { shownAddress } from "../../redis/address.ts";
import { RedisConnection } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisValue } from "../../redis/redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { Admin } from "../accounts-admin.ts";
import type { AccountsAdmin, KeyRecord, KeyReference, NewKey, PageEnd } from "../admin.ts";
import { ACTIVE_KEYS_MAX, noSuchAccount, tooManyKeys } from "../admin-rules.ts";
import type { AccountChange, AccountRow, AdminStore, StoredAccount } from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { hashKey } from "../keys.ts";
import type { PlanTable } from "../plans.ts";
import { AccountsRefused } from "../refused.ts";
import {
  accountRowOf,
  keyOf,
  LIST_KEYS,
  READ_ACCOUNT,
  readAccountValues,
  storedAccountOf,
  type AccountInRedis,
  type AccountReply,
  type Flat,
} from "./account-records.ts";
import { CHANGE_ACCOUNT, CREATE_ACCOUNT, LIST_ACCOUNTS } from "./admin-scripts.ts";
import { EMAILS, KEY_IDS, keyKey, usedField } from "./keys.ts";
import { OPEN_STORE, StoreIdentity } from "./store-identity.ts";

/** How long a command waits for Redis: longer than a request would. */
const COMMAND_WAIT_MS = 5_000;
/** Attempts at a change while others keep changing the same account. */
const ATTEMPTS_MAX = 100;

export interface RedisAdminOptions {
  readonly address: string;
  readonly plans: PlanTable;
  readonly nowMs: () => number;
  /** Refuse if there are no accounts yet. */
  readonly mustExist?: boolean;
  /** How long to wait for Redis to be reachable. */
  readonly waitMs?: number;
}

/** Opens the operator's side of accounts in Redis. Servers may use them at the same time. */
export async function openRedisAdmin(options: RedisAdminOptions): Promise<AccountsAdmin> {
  const { address, mustExist = false, waitMs = COMMAND_WAIT_MS } = options;
  let absent = false;
  let said = "";
  const identity = new StoreIdentity(() => {});
  const redis = new RedisConnection({
    address,
    name: "hindsight-command",
    scripts: [OPEN_STORE, READ_ACCOUNT, LIST_KEYS, LIST_ACCOUNTS, CREATE_ACCOUNT, CHANGE_ACCOUNT],
    async prepare(link) {
      absent = mustExist && (await link.run(OPEN_STORE, [""], COMMAND_WAIT_MS)) === null;
      if (!absent) await identity.open(link, COMMAND_WAIT_MS);
    },
    monotonicMs: () => performance.now(),
    warn: (message) => {
      said = message;
    },
  });
  const ready = await redis.whenReady(waitMs);
  if (ready && !absent) {
    return new Admin(new RedisAdminStore(redis), options.plans, options.nowMs);
  }
  await redis.close();
  if (!ready) throw new AccountsUnavailable(said === "" ? "Redis does not answer" : said);
  const where = shownAddress(address);
  throw new AccountsRefused("no_state_file", `there are no accounts at "${where}"`);
}

class RedisAdminStore implements AdminStore {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async insert({ id, email, plan, createdMs }: AccountRow, key: NewKey) {
    const values = [
      id,
      email,
      emailIdentity(email),
      plan,
      createdMs,
      JSON.stringify(keyOfNew(key)),
    ];
    const taken = await this.#change(CREATE_ACCOUNT, values);
    return typeof taken === "string" ? taken : undefined;
  }

  async idOf(email: string): Promise<string | undefined> {
    return await this.#field(EMAILS, emailIdentity(email));
  }

  async read(id: string, nowMs: number): Promise<AccountInRedis | undefined> {
    const reply = await this.#run(READ_ACCOUNT, readAccountValues(id, nowMs));
    return storedAccountOf(id, reply as AccountReply);
  }

  async findKey(reference: KeyReference): Promise<KeyRecord | undefined> {
    const hash =
      "key" in reference ? hashKey(reference.key) : await this.#field(KEY_IDS, reference.id);
    if (hash === undefined) return undefined;
    const { link } = this.#redis;
    const fields = (await link.call("HGETALL", [keyKey(hash)], COMMAND_WAIT_MS)) as Flat;
    return fields.length === 0 ? undefined : keyOf(fields);
  }

  async keysOf(accountId: string): Promise<readonly KeyRecord[]> {
    return ((await this.#run(LIST_KEYS, [accountId])) as Flat[]).map(keyOf);
  }

  async list(after: PageEnd | undefined, limit: number): Promise<readonly AccountRow[]> {
    const values = [after?.id ?? "", after?.createdMs ?? 0, limit];
    const reply = (await this.#run(LIST_ACCOUNTS, values)) as [id: string, account: Flat][];
    return reply.flatMap(([id, account]) => accountRowOf(id, account) ?? []);
  }

  async change<Change extends AccountChange>(
    id: string,
    nowMs: number,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const account = await this.read(id, nowMs);
      if (account === undefined) throw noSuchAccount(id);
      const key = keyId === undefined ? undefined : await this.findKey({ id: keyId });
      const decided = decide(account, key);
      const change = JSON.stringify(changeOf(decided));
      const values = [id, account.revision, change, nowMs, ACTIVE_KEYS_MAX];
      const reply = await this.#change(CHANGE_ACCOUNT, values);
      if (reply === 1) return decided;
      if (reply !== 0) throw tooManyKeys(id, Number(reply));
    }
    throw new AccountsUnavailable(`account ${id} changes too often`);
  }

  close(): Promise<void> {
    return this.#redis.close();
  }

  async #field(hash: string, name: string): Promise<string | undefined> {
    const value = await this.#redis.link.call("HGET", [hash, name], COMMAND_WAIT_MS);
    return typeof value === "string" ? value : undefined;
  }

  async #run(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    return this.#redis.link.run(script, values, COMMAND_WAIT_MS);
  }

  /** If the answer is lost, says that the change may have been made. */
  async #change(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    const { link } = this.#redis;
    try {
      return await link.run(script, values, COMMAND_WAIT_MS);
    } catch (error) {
      if (link.open || !(error instanceof AccountsUnavailable)) throw error;
      throw new AccountsUnavailable(
        `${error.message}; the change may have been made all the same: look with accounts show and keys list before you repeat it`,
        { cause: error },
      );
    }
  }
}

/** A change as `CHANGE_ACCOUNT` takes it. */
function changeOf({ plan, ended, added }: AccountChange) {
  return {
    plan: plan && {
      name: plan.name,
      from: usedField("live", plan.from),
      to: usedField("live", plan.to),
    },
    ended: ended && {
      id: ended.id,
      expires: ended.expiresMs?.toString(),
      revoked: ended.revokedMs?.toString(),
    },
    added: added && keyOfNew(added),
  };
}

/** A new key as scripts take it. */
function keyOfNew({ key, record: { id, env, prefix, lastFour, createdMs } }: NewKey) {
  return { hash: hashKey(key), id, env, prefix, lastFour, created: String(createdMs) };
}
