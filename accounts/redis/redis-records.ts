import { setTimeout as sleep } from "node:timers/promises";
import { SESSION_MS } from "../records.ts";
import { drawToken } from "../access-tokens.ts";
import { AccountsUnavailable } from "../accounts.ts";
import type { ChangeLine, PageEnd, PeriodUsage } from "../admin.ts";
import { emailIdentity } from "../email.ts";
import { DAY_MS, monthOf } from "../in-force.ts";
import type {
  AccountRow,
  Former,
  Kind,
  Kinds,
  Owned,
  Reads,
  Records,
  StoredAccount,
  Transaction,
} from "../records.ts";
import {
  fieldsOf,
  READ_ACCOUNT,
  readAccountValues,
  storedAccountOf,
  usageOfAccount,
  usedField,
  usedIn,
  type AccountReply,
  type Flat,
} from "./account-records.ts";
import { ACTIVE_KEYS, COMMIT, LIST_ACCOUNTS, OWNED } from "./commit-script.ts";
import type { RedisConnection } from "./connection.ts";
import type { LuaScript } from "./lua-script.ts";
import type { RedisValue } from "./redis-link.ts";
import { keyName, recordOf, revisionOf, textsOf } from "./record-hashes.ts";

/** Months whose calls may still exist: they expire three months after the first one. */
const MONTHS_KEPT = 5;
/** Attempts at a change while what it reads keeps changing. */
const ATTEMPTS_MAX = 100;
/** The longest rest after an attempt. It is drawn, so that servers that race do not keep in step. */
const REST_MAX_MS = 5;

export const RECORD_SCRIPTS: readonly LuaScript[] = [
  COMMIT,
  OWNED,
  ACTIVE_KEYS,
  READ_ACCOUNT,
  LIST_ACCOUNTS,
];

type Value = string | number | readonly string[];

type Fields = ReadonlyMap<string, string>;

/** Reads records. A transaction notes what it has read. */
class RedisReads implements Reads {
  readonly redis: RedisConnection;
  readonly #waitMs: number;

  /** `waitMs`: the time limit of each call. */
  constructor(redis: RedisConnection, waitMs: number) {
    this.redis = redis;
    this.#waitMs = waitMs;
  }

  async run(script: LuaScript, values: readonly RedisValue[]): Promise<unknown> {
    return await this.redis.link.run(script, values, this.#waitMs);
  }

  async command(name: string, values: readonly RedisValue[]): Promise<unknown> {
    return await this.redis.link.call(name, values, this.#waitMs);
  }

  async field(hash: string, name: string): Promise<string | undefined> {
    const value = await this.command("HGET", [hash, name]);
    return typeof value === "string" ? value : undefined;
  }

  transaction(): RedisTransaction {
    return new RedisTransaction(this.redis, this.#waitMs);
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
    const name = keyName(kind, id);
    const fields = await this.#fields(name);
    this.found(name, fields, revisionOf(kind));
    return recordOf(kind, id, fields);
  }

  async ofAccount<K extends Owned>(
    kind: K,
    accountId: string,
  ): Promise<ReadonlyMap<string, Kinds[K]>> {
    const rows = (await this.run(OWNED, [kind, accountId])) as [hash: string, record: Flat][];
    return new Map(
      rows.map(([hash, flat]) => {
        const fields = fieldsOf(flat);
        this.found(keyName(kind, hash), fields, []);
        return [hash, recordOf(kind, hash, fields)!]; // it names its account
      }),
    );
  }

  async idOf(email: string): Promise<string | undefined> {
    const identity = emailIdentity(email);
    const id = await this.field("hs:emails", identity);
    this.found("hs:emails", new Map(id === undefined ? [] : [[identity, id]]), [identity]);
    return id;
  }

  async activeKeys(accountId: string, nowMs: number): Promise<number> {
    return (await this.run(ACTIVE_KEYS, [accountId, nowMs])) as number;
  }

  async former(address: string): Promise<Former | undefined> {
    const name = `hs:former:${address}`;
    const fields = await this.#fields(name);
    this.found(name, fields, ["left"]);
    if (fields.size === 0) return undefined;
    const [createdMs, leftMs] = [Number(fields.get("created")), Number(fields.get("left"))];
    return { createdMs, leftMs, usage: usedIn(fields) };
  }

  /** Called with each hash that was read. `revision`: fields of which a change changes one. */
  protected found(_name: string, _fields: Fields, _revision: readonly string[]): void {}

  async #fields(name: string): Promise<Fields> {
    return fieldsOf((await this.command("HGETALL", [name])) as Flat);
  }
}

/** The records of accounts in Redis, while servers may use them. */
export class RedisRecords extends RedisReads implements Records {
  #secret: string | undefined;

  async change<T>(rule: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const tx = this.transaction();
      const result = await rule(tx);
      if (tx.writes.length === 0 || (await this.#commit(tx)) === 1) return result;
      await sleep(REST_MAX_MS * Math.random());
    }
    throw new AccountsUnavailable("the accounts change too often");
  }

  async hashOf(keyId: string): Promise<string | undefined> {
    return await this.field("hs:key-ids", keyId);
  }

  /** Cached, so that a change is the last call: if an answer is lost, it is that of the change. */
  async secret(): Promise<string> {
    this.#secret ??= (await this.field("hs:store", "secret")) ?? (await this.#drawSecret());
    return this.#secret;
  }

  async read(id: string, nowMs: number): Promise<StoredAccount | undefined> {
    const reply = await this.run(READ_ACCOUNT, readAccountValues(id, nowMs));
    return storedAccountOf(id, reply as AccountReply);
  }

  async list(after: PageEnd | undefined, limit: number): Promise<readonly AccountRow[]> {
    const page = await this.#page(after, limit);
    return page.flatMap(([id, account]) => recordOf("account", id, fieldsOf(account)) ?? []);
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
    const lines = await this.command("ZRANGEBYSCORE", range);
    return (lines as string[]).map((line) => {
      const [number, at, who, what, accountId] = JSON.parse(line) as [number, ...string[]];
      return { number, atMs: Number(at), who, what, accountId } as ChangeLine;
    });
  }

  close(): Promise<void> {
    return this.redis.close();
  }

  async #page(after: PageEnd | undefined, limit: number) {
    const values = [after?.id ?? "", after?.createdMs ?? 0, limit];
    return (await this.run(LIST_ACCOUNTS, values)) as readonly [id: string, account: Flat][];
  }

  async #formerUsage(): Promise<readonly PeriodUsage[]> {
    const flat = (await this.command("HGETALL", ["hs:former-usage"])) as Flat;
    return Array.from(fieldsOf(flat), ([name, used]) => {
      const [plan = "", env, period = ""] = name.split("|");
      const about = { accountId: null, createdMs: null, plan, period, used: Number(used) };
      return { ...about, env: env === "test" ? ("test" as const) : ("live" as const) };
    });
  }

  async #drawSecret(): Promise<string> {
    await this.command("HSETNX", ["hs:store", "secret", drawToken()]);
    return (await this.field("hs:store", "secret"))!; // one of us has set it
  }

  /** If its answer is lost, the error says that the change may have been made. */
  async #commit({ expect, writes }: RedisTransaction): Promise<unknown> {
    const { link } = this.redis;
    try {
      return await this.run(COMMIT, [JSON.stringify({ expect, writes })]);
    } catch (error) {
      if (link.open || !(error instanceof AccountsUnavailable)) throw error;
      throw new AccountsUnavailable(
        `${error.message}; the change may have been made all the same: look with accounts show and keys list before you repeat it`,
        { cause: error },
      );
    }
  }
}

/** What a rule has read, as `COMMIT` expects it again, and what it writes, with the entries that lists have of it. */
class RedisTransaction extends RedisReads implements Transaction {
  readonly expect: (readonly [hash: string, field: string, value: string])[] = [];
  readonly writes: (readonly Value[])[] = [];
  /** Hashes as they were read. */
  readonly #before = new Map<string, Fields>();

  protected override found(name: string, fields: Fields, revision: readonly string[]): void {
    this.#before.set(name, fields);
    for (const field of revision) this.expect.push([name, field, fields.get(field) ?? ""]);
  }

  put<K extends Kind>(kind: K, id: string, record: Kinds[K], keptMs?: number): void {
    const name = keyName(kind, id);
    const before = this.#before.get(name) ?? new Map<string, string>();
    const was = recordOf(kind, id, before);
    for (const [field, text] of textsOf(kind, record)) {
      if (text === before.get(field)) continue;
      this.writes.push(text === undefined ? ["HDEL", name, field] : ["HSET", name, field, text]);
    }
    if (keptMs !== undefined) this.writes.push(["PEXPIRE", name, keptMs]);
    this.writes.push(...LISTINGS[kind](id, record as never, was as never));
  }

  delete(kind: "link" | "session", id: string): void {
    if (kind === "session") this.writes.push(["delete_session", id]);
    else this.writes.push(["ZREM", "hs:links", id], ["DEL", keyName(kind, id)]);
  }

  note({ who, nowMs }: Parameters<Transaction["note"]>[0], what: string, accountId: string): void {
    this.writes.push(["note", who, what, accountId, String(nowMs)]);
  }

  continueUsage(accountId: string, usage: Former["usage"]): void {
    const name = keyName("account", accountId);
    for (const [env, period, used] of usage)
      this.writes.push(["HSET", name, usedField(env, period), String(used)]);
  }

  moveUsage(accountId: string, from: string, to: string): void {
    this.writes.push(["move_usage", accountId, usedField("live", from), usedField("live", to)]);
  }

  remember({ id }: AccountRow, address: string, nowMs: number): void {
    this.writes.push(["remember", id, address, String(nowMs)]);
  }

  forget(account: AccountRow, address: string, nowMs: number): void {
    const { id, plan, email } = account;
    this.remember(account, address, nowMs);
    this.writes.push(["forget", id, plan, emailIdentity(email), lastMonths(nowMs)]);
  }
}

/** The lists that have entries of a kind of record, and what its changes raise. */
const LISTINGS: {
  readonly [K in Kind]: (id: string, now: Kinds[K], was: Kinds[K] | undefined) => Value[][];
} = {
  account: (id, { email, plan, createdMs }, was) => {
    const [identity, former] = [emailIdentity(email), was && emailIdentity(was.email)];
    return [
      ...(was === undefined ? [["ZADD", "hs:accounts", String(createdMs), id]] : []),
      ...(former !== undefined && former !== identity ? [["HDEL", "hs:emails", former]] : []),
      ...(former !== identity ? [["HSET", "hs:emails", identity, id]] : []),
      ...(was !== undefined && was.plan !== plan ? [["HINCRBY", "hs:plans", was.plan, -1]] : []),
      ...(was?.plan !== plan ? [["HINCRBY", "hs:plans", plan, 1]] : []),
      ["touch", id],
    ];
  },
  key: (hash, { id, accountId, createdMs }, was) => {
    const listed = [
      ["HSET", "hs:key-ids", id, hash],
      ["ZADD", `hs:account-keys:${accountId}`, String(createdMs), id],
    ];
    return [...(was === undefined ? listed : []), ["touch", accountId]];
  },
  link: (hash, { createdMs }, was) =>
    was === undefined ? [["list_link", hash, String(createdMs)]] : [],
  session: (hash, { accountId, createdMs }, was) => {
    const list = `hs:sessions:${accountId}`;
    if (was !== undefined) return [];
    return [
      ["ZADD", list, String(createdMs), hash],
      ["PEXPIRE", list, SESSION_MS],
    ];
  },
  share: () => [],
};

/** The months whose calls Redis may still have. */
function lastMonths(nowMs: number): readonly string[] {
  const months = [monthOf(nowMs)];
  while (months.length < MONTHS_KEPT) months.push(monthOf(months.at(-1)!.endMs - 40 * DAY_MS)); // there is one
  return months.map(({ name }) => name);
}
