import { shownAddress } from "../../redis/address.ts";
import { RedisConnection } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisValue } from "../../redis/redis-link.ts";
import { AccountsUnavailable, type KeyEnvironment } from "../accounts.ts";
import type {
  AccountRecord,
  AccountsAdmin,
  AccountUsage,
  KeyRecord,
  KeyReference,
  NewAccount,
  NewKey,
  RotatedKey,
} from "../admin.ts";
import {
  accountRecord,
  ACTIVE_KEYS_MAX,
  drawAccountId,
  drawKey,
  emailTaken,
  keyEnded,
  noSuchAccount,
  noSuchKey,
  tooManyKeys,
  trialOver,
} from "../admin-rules.ts";
import { checkEmail, emailIdentity } from "../email.ts";
import { hashKey } from "../keys.ts";
import { periodOf, TRIAL_MS } from "../period.ts";
import { checkPlan, TRIAL, type PlanTable } from "../plans.ts";
import { AccountsRefused } from "../refused.ts";
import {
  accountOf,
  fieldsOf,
  keyOf,
  READ_ACCOUNT,
  readAccountValues,
  reportOf,
  type AccountReply,
  type Flat,
} from "./account-records.ts";
import * as scripts from "./admin-scripts.ts";
import { EMAILS, KEY_IDS, keyKey, usedField } from "./keys.ts";
import { OPEN_STORE, StoreIdentity } from "./store-identity.ts";

/** How long a command waits for Redis: longer than a request would. */
const COMMAND_WAIT_MS = 5_000;
/** Attempts at a change while others keep changing the same account. */
const ATTEMPTS_MAX = 20;
const READY = -1;
const NOT_THERE = -2;
const ENDED = -3;

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
    scripts: [OPEN_STORE, READ_ACCOUNT, ...Object.values(scripts)],
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
  if (ready && !absent) return new RedisAdmin(redis, options);
  await redis.close();
  if (!ready) throw new AccountsUnavailable(said === "" ? "Redis does not answer" : said);
  const where = shownAddress(address);
  throw new AccountsRefused("no_state_file", `there are no accounts at "${where}"`);
}

class RedisAdmin implements AccountsAdmin {
  readonly #redis: RedisConnection;
  readonly #plans: PlanTable;
  readonly #nowMs: () => number;

  constructor(redis: RedisConnection, { plans, nowMs }: RedisAdminOptions) {
    this.#redis = redis;
    this.#plans = plans;
    this.#nowMs = nowMs;
  }

  async createAccount(request: { email: string; plan: string }): Promise<NewAccount> {
    const nowMs = this.#nowMs();
    const email = checkEmail(request.email);
    checkPlan(this.#plans, request.plan);
    const id = drawAccountId();
    const made = drawKey("live");
    const values = [id, email, emailIdentity(email), request.plan, nowMs, ...valuesOf(made)];
    const taken = await this.#change(scripts.CREATE_ACCOUNT, values);
    if (typeof taken === "string") throw emailTaken(email, taken);
    const account = accountRecord({ id, email, plan: request.plan, createdMs: nowMs }, nowMs);
    return { account, key: made.key, record: recordOf(made, id, nowMs) };
  }

  async findAccount(idOrEmail: string): Promise<AccountRecord> {
    const found = await this.#redis.link.call(
      "HGET",
      [EMAILS, emailIdentity(idOrEmail)],
      COMMAND_WAIT_MS,
    );
    const id = typeof found === "string" ? found : idOrEmail;
    return (await this.#read(id, this.#nowMs())).record;
  }

  async listAccounts(
    after: AccountRecord | undefined,
    limit: number,
  ): Promise<readonly AccountRecord[]> {
    const values = [after?.id ?? "", after?.createdMs ?? 0, limit];
    const reply = (await this.#run(scripts.LIST_ACCOUNTS, values)) as (string | Flat)[];
    const nowMs = this.#nowMs();
    const records: AccountRecord[] = [];
    for (let i = 0; i + 1 < reply.length; i += 2) {
      records.push(accountOf(reply[i] as string, reply[i + 1] as Flat, nowMs));
    }
    return records;
  }

  async setPlan(accountId: string, plan: string): Promise<AccountRecord> {
    checkPlan(this.#plans, plan);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const nowMs = this.#nowMs();
      const { record, revision } = await this.#read(accountId, nowMs);
      const trialEndsMs = record.createdMs + TRIAL_MS;
      if (plan === TRIAL && nowMs >= trialEndsMs) throw trialOver(accountId, trialEndsMs);
      const fieldOn = (name: string) =>
        usedField("live", periodOf("live", name, trialEndsMs, nowMs).name);
      const values = [accountId, revision, plan, fieldOn(record.plan), fieldOn(plan)];
      const done = await this.#change(scripts.SET_PLAN, values);
      if (done === 1) return accountRecord({ ...record, plan }, nowMs);
    }
    throw new AccountsUnavailable(`account ${accountId} changes too often`);
  }

  async usageOf(accountId: string): Promise<AccountUsage> {
    const nowMs = this.#nowMs();
    const { reply } = await this.#read(accountId, nowMs);
    const { allowances, endpoints } = reportOf(accountId, reply, this.#plans, nowMs);
    return { allowances, endpoints };
  }

  async createKey(accountId: string, env: KeyEnvironment): Promise<NewKey> {
    const made = drawKey(env);
    const nowMs = this.#nowMs();
    const values = [accountId, ACTIVE_KEYS_MAX, nowMs, ...valuesOf(made)];
    const done = (await this.#change(scripts.CREATE_KEY, values)) as number;
    if (done === NOT_THERE) throw noSuchAccount(accountId);
    if (done !== READY) throw tooManyKeys(accountId, done);
    return { key: made.key, record: recordOf(made, accountId, nowMs) };
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    const { reply } = await this.#read(accountId, this.#nowMs());
    return reply[2].map(keyOf);
  }

  async rotateKey(reference: KeyReference, graceMs: number): Promise<RotatedKey> {
    const nowMs = this.#nowMs();
    const hash = await this.#hashOf(reference);
    const old = await this.#key(hash, reference);
    const made = drawKey(old.env);
    const { id, prefix, lastFour } = made;
    const endsMs = nowMs + graceMs;
    const values = [hash, ACTIVE_KEYS_MAX, nowMs, endsMs, made.hash, id, prefix, lastFour];
    const done = (await this.#change(scripts.ROTATE_KEY, values)) as number;
    if (done === ENDED) throw keyEnded(old.id);
    if (done !== READY) throw tooManyKeys(old.accountId, done);
    const end =
      endsMs <= nowMs
        ? { revokedMs: nowMs }
        : { expiresMs: Math.min(old.expiresMs ?? endsMs, endsMs) };
    const record = recordOf(made, old.accountId, nowMs);
    return { key: made.key, record, replaced: { ...old, ...end } };
  }

  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    const nowMs = this.#nowMs();
    const hash = await this.#hashOf(reference);
    const key = await this.#key(hash, reference);
    const done = await this.#change(scripts.REVOKE_KEY, [hash, nowMs]);
    if (done !== 1) throw noSuchKey(reference);
    return { ...key, revokedMs: key.revokedMs ?? nowMs };
  }

  close(): Promise<void> {
    return this.#redis.close();
  }

  async #run(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    return this.#redis.link.run(script, values, COMMAND_WAIT_MS);
  }

  /**
   * Changes something, as the last thing that is asked: what was made, a key's text above all, is not lost with a
   * later question. If the answer is lost, says that it may have been done.
   */
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

  async #read(id: string, nowMs: number) {
    const reply = (await this.#run(READ_ACCOUNT, readAccountValues(id, nowMs))) as AccountReply;
    const record = accountOf(id, reply[0], nowMs);
    return { record, reply, revision: fieldsOf(reply[0]).get("rev") ?? "" };
  }

  async #hashOf(reference: KeyReference): Promise<string> {
    if ("key" in reference) return hashKey(reference.key);
    const hash = await this.#redis.link.call("HGET", [KEY_IDS, reference.id], COMMAND_WAIT_MS);
    if (typeof hash === "string") return hash;
    throw noSuchKey(reference);
  }

  async #key(hash: string, reference: KeyReference): Promise<KeyRecord> {
    const fields = (await this.#redis.link.call(
      "HGETALL",
      [keyKey(hash)],
      COMMAND_WAIT_MS,
    )) as Flat;
    if (fields.length === 0) throw noSuchKey(reference);
    return keyOf(fields);
  }
}

/** A new key as scripts take it. */
function valuesOf({ hash, id, env, prefix, lastFour }: ReturnType<typeof drawKey>) {
  return [hash, id, env, prefix, lastFour] as const;
}

/** A key that was made just now. */
function recordOf(
  { id, env, prefix, lastFour }: ReturnType<typeof drawKey>,
  accountId: string,
  createdMs: number,
): KeyRecord {
  const unused = { lastUsedMs: null, expiresMs: null, revokedMs: null };
  return { id, accountId, env, prefix, lastFour, createdMs, ...unused };
}
