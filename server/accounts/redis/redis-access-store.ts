import { REDIS_WAIT_MS, type RedisConnection } from "../../redis/connection.ts";
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
import { openingOf } from "./account-records.ts";

export const ACCESS_SCRIPTS = [
  ADD_LINK,
  WITHDRAW_LINK,
  SIGN_IN,
  FIND_SESSION,
  LIST_SESSIONS,
  END_SESSIONS,
];

/** Links and sessions in Redis, for all servers that share it. */
export class RedisAccessStore implements AccessStore {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
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

  async #run(script: LuaScript, ...values: readonly RedisValue[]): Promise<unknown> {
    return await this.#redis.link.run(script, values, REDIS_WAIT_MS);
  }
}
