import { shownAddress } from "./address.ts";
import { REDIS_WAIT_MS, RedisConnection } from "./connection.ts";
import type { LuaScript } from "./lua-script.ts";
import type { RedisValue } from "./redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { Admin } from "../accounts-admin.ts";
import { drawToken } from "../access-tokens.ts";
import type {
  ChangeLine,
  KeyRecord,
  KeyReference,
  NewKey,
  PageEnd,
  PeriodUsage,
} from "../admin.ts";
import {
  ACTIVE_KEYS_MAX,
  emailTaken,
  linkUsed,
  noSuchAccount,
  tooManyKeys,
} from "../admin-rules.ts";
import type {
  AccountChange,
  AccountRow,
  AdminStore,
  By,
  Inserted,
  Leaving,
  StoredAccount,
} from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { hashKey } from "../keys.ts";
import { DAY_MS, monthOf } from "../period.ts";
import type { PlanTable } from "../plans.ts";
import { AccountsRefused } from "../refused.ts";
import {
  accountRowOf,
  fieldsOf,
  keyOf,
  LIST_KEYS,
  openingOf,
  READ_ACCOUNT,
  readAccountValues,
  storedAccountOf,
  usageOfAccount,
  type AccountInRedis,
  type AccountReply,
  type Flat,
  usedField,
} from "./account-records.ts";
import {
  CHANGE_ACCOUNT,
  CHANGE_ADDRESS,
  CREATE_ACCOUNT,
  LIST_ACCOUNTS,
  REMOVE_ACCOUNT,
} from "./admin-scripts.ts";
import { ACCESS_SCRIPTS, RedisAccessStore } from "./redis-access-store.ts";
import { OPEN_STORE, StoreIdentity } from "./store-identity.ts";

/** Time limit of a command's calls, longer than that of requests. */
const COMMAND_WAIT_MS = 5_000;
/** Months whose calls may still exist: they expire three months after the first one. */
const MONTHS_KEPT = 5;
/** Attempts at a change while the account keeps changing. */
const ATTEMPTS_MAX = 100;

export interface RedisAdminOptions {
  readonly address: string;
  readonly plans: PlanTable;
  readonly nowMs: () => number;
  /** Whether to refuse if there are no accounts yet. */
  readonly mustExist?: boolean;
  /** Time limit for reaching Redis. */
  readonly waitMs?: number;
  readonly warn?: (message: string) => void;
}

const SCRIPTS = [
  OPEN_STORE,
  READ_ACCOUNT,
  LIST_KEYS,
  LIST_ACCOUNTS,
  CREATE_ACCOUNT,
  CHANGE_ACCOUNT,
  CHANGE_ADDRESS,
  REMOVE_ACCOUNT,
];

/** The operator's actions on accounts in Redis, while servers may use them. */
export async function openRedisAdmin(options: RedisAdminOptions): Promise<Admin> {
  return adminOn(await connect(options, "hindsight-command"), options, COMMAND_WAIT_MS);
}

/** The same for a server's account pages, with links and sessions on the same connection. */
export async function openRedisAccess(options: RedisAdminOptions) {
  const redis = await connect(options, "hindsight-account-pages", ACCESS_SCRIPTS);
  return { store: new RedisAccessStore(redis), admin: adminOn(redis, options, REDIS_WAIT_MS) };
}

function adminOn(
  redis: RedisConnection,
  { plans, nowMs }: RedisAdminOptions,
  answerMs: number,
): Admin {
  return new Admin(new RedisAdminStore(redis, answerMs), plans, nowMs, "command");
}

async function connect(
  options: RedisAdminOptions,
  name: string,
  scripts: readonly LuaScript[] = [],
): Promise<RedisConnection> {
  const { address, mustExist = false, waitMs = COMMAND_WAIT_MS, warn } = options;
  let absent = false;
  let said = "";
  const identity = new StoreIdentity((reason) => redis.drop(reason));
  const redis = new RedisConnection({
    address,
    name,
    scripts: [...SCRIPTS, ...scripts],
    async prepare(link) {
      absent = mustExist && (await link.run(OPEN_STORE, [""], COMMAND_WAIT_MS)) === null;
      if (!absent) await identity.open(link, COMMAND_WAIT_MS);
    },
    monotonicMs: () => performance.now(),
    warn: (message) => {
      said = message;
      warn?.(message);
    },
  });
  const ready = await redis.whenReady(waitMs);
  if (ready && !absent) return redis;
  await redis.close();
  if (!ready) throw new AccountsUnavailable(said === "" ? "Redis does not answer" : said);
  const where = shownAddress(address);
  throw new AccountsRefused("no_state_file", `there are no accounts at "${where}"`);
}

class RedisAdminStore implements AdminStore {
  readonly #redis: RedisConnection;
  readonly #waitMs: number;
  #secret: string | undefined;

  constructor(redis: RedisConnection, waitMs: number) {
    this.#redis = redis;
    this.#waitMs = waitMs;
  }

  /** Cached, so that a change is the last call: if an answer is lost, it is that of the change. */
  async secret(): Promise<string> {
    this.#secret ??= (await this.#field("hs:store", "secret")) ?? (await this.#drawSecret());
    return this.#secret;
  }

  async insert(
    account: AccountRow,
    key: NewKey,
    { who, nowMs, former }: By & { readonly former: string },
  ): Promise<Inserted> {
    const given = JSON.stringify(openingOf(account, former));
    const values = [given, who, nowMs, JSON.stringify(keyOfNew(key))];
    const reply = (await this.#change(CREATE_ACCOUNT, values)) as (string | null)[];
    const [taken = null, created = null] = reply;
    if (taken !== null) return { taken };
    return { account: { ...account, createdMs: Number(created) } };
  }

  async idOf(email: string): Promise<string | undefined> {
    return await this.#field("hs:emails", emailIdentity(email));
  }

  async read(id: string, nowMs: number): Promise<AccountInRedis | undefined> {
    const reply = await this.#run(READ_ACCOUNT, readAccountValues(id, nowMs));
    return storedAccountOf(id, reply as AccountReply);
  }

  async findKey(reference: KeyReference): Promise<KeyRecord | undefined> {
    const hash =
      "key" in reference ? hashKey(reference.key) : await this.#field("hs:key-ids", reference.id);
    if (hash === undefined) return undefined;
    const { link } = this.#redis;
    const fields = (await link.call("HGETALL", [`hs:key:${hash}`], this.#waitMs)) as Flat;
    return fields.length === 0 ? undefined : keyOf(fields);
  }

  async keysOf(accountId: string): Promise<readonly KeyRecord[]> {
    return ((await this.#run(LIST_KEYS, [accountId])) as Flat[]).map(keyOf);
  }

  async list(after: PageEnd | undefined, limit: number): Promise<readonly AccountRow[]> {
    const page = await this.#page(after, limit);
    return page.flatMap(([id, account]) => accountRowOf(id, account) ?? []);
  }

  async change<Change extends AccountChange>(
    id: string,
    { who, nowMs }: By,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const account = await this.read(id, nowMs);
      if (account === undefined) throw noSuchAccount(id);
      const key = keyId === undefined ? undefined : await this.findKey({ id: keyId });
      const decided = decide(account, key);
      const change = JSON.stringify(changeOf(decided));
      const values = [id, account.revision, change, nowMs, ACTIVE_KEYS_MAX, who];
      const reply = await this.#change(CHANGE_ACCOUNT, values);
      if (reply === 1) return decided;
      if (reply !== 0) throw tooManyKeys(id, Number(reply));
    }
    throw new AccountsUnavailable(`account ${id} changes too often`);
  }

  async changeAddress(account: AccountRow, email: string, leaving: Leaving): Promise<void> {
    const address = { email, identity: emailIdentity(email) };
    const reply = await this.#leave(CHANGE_ADDRESS, account, leaving, address);
    if (reply !== "done") throw emailTaken(email, reply);
  }

  async remove(account: AccountRow, leaving: Leaving): Promise<void> {
    await this.#leave(REMOVE_ACCOUNT, account, leaving, { months: lastMonths(leaving.nowMs) });
  }

  async usage(
    after: PageEnd | undefined,
    limit: number,
    since: string,
  ): Promise<readonly PeriodUsage[]> {
    const page = await this.#page(after, limit);
    const own = page.flatMap(([id, account]) => usageOfAccount(id, account));
    const former = after === undefined ? await this.#formerUsage() : [];
    return [...former, ...own].filter(({ period, used }) => period >= since && used > 0);
  }

  async changes(after: number, limit: number): Promise<readonly ChangeLine[]> {
    const range = ["hs:audit", `(${after}`, "+inf", "LIMIT", 0, limit];
    const lines = await this.#redis.link.call("ZRANGEBYSCORE", range, this.#waitMs);
    return (lines as string[]).map((line) => {
      const [number, at, who, what, accountId] = JSON.parse(line) as [number, ...string[]];
      return { number, atMs: Number(at), who, what, accountId } as ChangeLine;
    });
  }

  close(): Promise<void> {
    return this.#redis.close();
  }

  async #page(after: PageEnd | undefined, limit: number) {
    const values = [after?.id ?? "", after?.createdMs ?? 0, limit];
    return (await this.#run(LIST_ACCOUNTS, values)) as readonly [id: string, account: Flat][];
  }

  async #formerUsage(): Promise<readonly PeriodUsage[]> {
    const flat = (await this.#redis.link.call(
      "HGETALL",
      ["hs:former-usage"],
      this.#waitMs,
    )) as Flat;
    return Array.from(fieldsOf(flat), ([name, used]) => {
      const [plan = "", env, period = ""] = name.split("|");
      const about = { accountId: null, createdMs: null, plan, period, used: Number(used) };
      return { ...about, env: env === "test" ? ("test" as const) : ("live" as const) };
    });
  }

  /** Returns "done" or the script's other answer. */
  async #leave(
    script: LuaScript,
    { id, email }: AccountRow,
    { who, nowMs, former, link }: Leaving,
    more: object,
  ): Promise<string> {
    const by = { id, before: emailIdentity(email), who, now: String(nowMs), former, link };
    const reply = await this.#change(script, [JSON.stringify({ ...by, ...more })]);
    if (reply === "used") throw linkUsed();
    if (reply === "gone") throw noSuchAccount(id);
    return String(reply);
  }

  async #drawSecret(): Promise<string> {
    const { link } = this.#redis;
    await link.call("HSETNX", ["hs:store", "secret", drawToken()], this.#waitMs);
    return (await this.#field("hs:store", "secret"))!; // one of us has set it
  }

  async #field(hash: string, name: string): Promise<string | undefined> {
    const value = await this.#redis.link.call("HGET", [hash, name], this.#waitMs);
    return typeof value === "string" ? value : undefined;
  }

  async #run(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    return this.#redis.link.run(script, values, this.#waitMs);
  }

  /** Runs a change. If its answer is lost, the error says that the change may have been made. */
  async #change(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    const { link } = this.#redis;
    try {
      return await link.run(script, values, this.#waitMs);
    } catch (error) {
      if (link.open || !(error instanceof AccountsUnavailable)) throw error;
      throw new AccountsUnavailable(
        `${error.message}; the change may have been made all the same: look with accounts show and keys list before you repeat it`,
        { cause: error },
      );
    }
  }
}

/** A change as `CHANGE_ACCOUNT` expects it. */
function changeOf({ what, suspended, plan, ended, added }: AccountChange) {
  return {
    what,
    suspended,
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

/** A new key as scripts expect it. */
function keyOfNew({ key, record: { id, name, env, prefix, lastFour, createdMs } }: NewKey) {
  return { hash: hashKey(key), id, name, env, prefix, lastFour, created: String(createdMs) };
}

/** The months whose calls Redis may still have. */
function lastMonths(nowMs: number): readonly string[] {
  const months = [monthOf(nowMs)];
  while (months.length < MONTHS_KEPT) months.push(monthOf(months.at(-1)!.endMs - 40 * DAY_MS)); // there is one
  return months.map(({ name }) => name);
}
