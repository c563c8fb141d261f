import { LRUCache } from "lru-cache";
import type { Caller } from "../accounts.ts";
import type { KnownKey } from "./known-key.ts";

const KNOWN_KEYS_MAX = 50_000;
const REFUSED_KEYS_MAX = 10_000;
/** After this long, a refused key is looked up again: Redis may have been restored meanwhile. */
const REFUSED_MS = 30_000;

/**
 * A bounded cache of keys. Those in force are found by themselves, which spares a request the hash; those that are
 * refused, for whatever reason, by their hash.
 */
export class KeyCache {
  // `maxSize` with a size of 1 each, because `max` makes the cache fill its tables up front.
  readonly #known = new LRUCache<string, KnownKey>({
    maxSize: KNOWN_KEYS_MAX,
    sizeCalculation: () => 1,
    dispose: (known, key) => this.#dropped(known, key),
  });
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #refusedUntilMs = new LRUCache<string, number>({ max: REFUSED_KEYS_MAX });
  readonly #keyOf = new WeakMap<Caller, KnownKey>();

  get(key: string): KnownKey | undefined {
    return this.#known.get(key);
  }

  remember(key: string, known: KnownKey): void {
    this.#known.set(key, known);
    const keys = this.#keysOf.get(known.accountId);
    if (keys === undefined) this.#keysOf.set(known.accountId, new Set([key]));
    else keys.add(key);
  }

  forgetAccount(accountId: string): void {
    for (const key of this.#keysOf.get(accountId) ?? []) this.#known.delete(key);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  /** Lets `keyOf` find the key of its callers, even if the key is not cached. */
  introduce(known: KnownKey): void {
    this.#keyOf.set(known.caller, known);
    this.#keyOf.set(known.callerAfterTrial, known);
  }

  /** The key behind a caller that was given out. */
  keyOf(caller: Caller): KnownKey {
    const known = this.#keyOf.get(caller);
    if (known === undefined) throw new Error("the caller did not come from authenticate");
    return known;
  }

  isRefused(hash: string, monotonicMs: number): boolean {
    const untilMs = this.#refusedUntilMs.get(hash);
    return untilMs !== undefined && monotonicMs < untilMs;
  }

  rememberRefused(hash: string, monotonicMs: number): void {
    this.#refusedUntilMs.set(hash, monotonicMs + REFUSED_MS);
  }

  forgetRefused(): void {
    this.#refusedUntilMs.clear();
  }

  #dropped(known: KnownKey, key: string): void {
    known.current = false;
    const keys = this.#keysOf.get(known.accountId);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOf.delete(known.accountId);
  }
}
