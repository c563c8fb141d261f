import { LRUCache } from "lru-cache";
import type { Caller } from "../accounts.ts";
import type { KnownKey } from "./known-key.ts";

const KNOWN_KEYS_MAX = 50_000;
const REFUSED_KEYS_MAX = 10_000;
/** After this long, a refused key is looked up again: Redis may have been restored meanwhile. */
const REFUSED_MS = 30_000;

/** A bounded cache of keys by hash, those in force and those that are refused for whatever reason. */
export class KeyCache {
  // `maxSize` with a size of 1 each, because `max` makes the cache fill its tables up front.
  readonly #known = new LRUCache<string, KnownKey>({
    maxSize: KNOWN_KEYS_MAX,
    sizeCalculation: () => 1,
  });
  readonly #refusedUntilMs = new LRUCache<string, number>({ max: REFUSED_KEYS_MAX });
  readonly #keyOf = new WeakMap<Caller, KnownKey>();

  get(hash: string): KnownKey | undefined {
    return this.#known.get(hash);
  }

  remember(hash: string, known: KnownKey): void {
    this.#known.set(hash, known);
  }

  forgetAccounts(accountIds: readonly string[]): void {
    const changed = new Set(accountIds);
    if (changed.size === 0) return;
    for (const [hash, { accountId }] of this.#known.entries()) {
      if (changed.has(accountId)) this.#known.delete(hash);
    }
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
}
