import { REDIS_WAIT_MS, RedisConnection } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisValue } from "../../redis/redis-link.ts";
import {
  endedWord,
  isWithin,
  SESSION_MS,
  SESSIONS_MAX,
  type AccessStore,
  type NewLink,
  type Session,
  type SigningIn,
  type SignInOutcome,
  type StoredLink,
} from "../access-store.ts";
import type { By } from "../admin-store.ts";
import type { AccountsClock } from "../clock.ts";
import { emailIdentity } from "../email.ts";
import { dateOf } from "../period.ts";
import {
  ADD_LINK,
  END_SESSIONS,
  FIND_SESSION,
  LIST_SESSIONS,
  SIGN_IN,
  WITHDRAW_LINK,
} from "./access-scripts.ts";
import { openingOf } from "./redis-admin.ts";
import { OPEN_STORE, StoreIdentity } from "./store-identity.ts";

const SCRIPTS = [
  OPEN_STORE,
  ADD_LINK,
  WITHDRAW_LINK,
  SIGN_IN,
  FIND_SESSION,
  LIST_SESSIONS,
  END_SESSIONS,
];

export interface RedisAccessOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  readonly clock: AccountsClock;
  readonly warn: (message: string) => void;
}

/** Links and sessions in Redis, for all servers that share it. */
export class RedisAccessStore implements AccessStore {
  readonly #redis: RedisConnection;

  /** Redis need not be reachable yet. */
  constructor({ address, clock: { monotonicMs }, warn }: RedisAccessOptions) {
    const identity = new StoreIdentity((reason) => this.#redis.drop(reason));
    this.#redis = new RedisConnection({
      address,
      name: "hindsight-account-pages",
      scripts: SCRIPTS,
      prepare: (link) => identity.open(link, REDIS_WAIT_MS),
      monotonicMs,
      warn,
    });
  }

  /** Resolves once Redis can be used, or after this time; the result says which. */
  whenReady(withinMs: number): Promise<boolean> {
    return this.#redis.whenReady(withinMs);
  }

  async addLink(link: NewLink): Promise<"made" | "repeated" | "limited"> {
    const { createdMs, accountId, ...rest } = link;
    const given = { ...rest, account: accountId ?? "", created: String(createdMs) };
    return (await this.#run(ADD_LINK, JSON.stringify(given))) as "made" | "repeated" | "limited";
  }

  async withdrawLink(hash: string): Promise<void> {
    await this.#run(WITHDRAW_LINK, hash);
  }

  async findLink(hash: string): Promise<StoredLink | undefined> {
    const fields = ["purpose", "account", "address", "sealed", "created", "used"];
    const { link } = this.#redis;
    const reply = await link.call("HMGET", [`hs:link:${hash}`, ...fields], REDIS_WAIT_MS);
    const [purpose, account, address, sealed, created, usedBy] = reply as (string | null)[];
    if (typeof purpose !== "string") return undefined;
    return {
      purpose: purpose as StoredLink["purpose"],
      accountId: account === "" ? null : (account ?? null),
      address: address ?? "",
      sealed: sealed ?? "",
      createdMs: Number(created),
      usedBy: usedBy ?? null,
    };
  }

  async signIn(signingIn: SigningIn): Promise<SignInOutcome> {
    const { link, email, session, opens, former, who, nowMs } = signingIn;
    const given = {
      link,
      identity: emailIdentity(email),
      session: session.hash,
      device: session.device,
      replaces: session.replaces ?? "",
      opens: opens && openingOf(opens, former),
      who,
      now: String(nowMs),
      day: dateOf(nowMs),
      max: SESSIONS_MAX,
    };
    return (await this.#run(SIGN_IN, JSON.stringify(given))) as SignInOutcome;
  }

  async findSession(hash: string, nowMs: number): Promise<Session | undefined> {
    const today = dateOf(nowMs);
    const reply = await this.#run(FIND_SESSION, hash, today);
    const [accountId, device, created] = reply as (string | null)[];
    if (typeof accountId !== "string" || !isWithin(SESSION_MS, Number(created), nowMs)) {
      return undefined;
    }
    return { hash, accountId, device: device ?? "", createdMs: Number(created), lastDay: today };
  }

  async sessionsOf(accountId: string, nowMs: number): Promise<readonly Session[]> {
    const rows = (await this.#run(LIST_SESSIONS, accountId)) as [string, string, string, string][];
    return rows
      .map(([hash, device, created, lastDay]) => {
        return { hash, accountId, device, createdMs: Number(created), lastDay };
      })
      .filter(({ createdMs }) => isWithin(SESSION_MS, createdMs, nowMs));
  }

  async endSessions(accountId: string, hash: string | undefined, by: By): Promise<void> {
    const { who, nowMs } = by;
    const about = { account: accountId, session: hash ?? "", what: endedWord(hash) };
    await this.#run(END_SESSIONS, JSON.stringify({ ...about, who, now: String(nowMs) }));
  }

  close(): Promise<void> {
    return this.#redis.close();
  }

  async #run(script: LuaScript, ...values: readonly RedisValue[]): Promise<unknown> {
    return await this.#redis.link.run(script, values, REDIS_WAIT_MS);
  }
}
