import { LRUCache } from "lru-cache";
import type { Caller } from "../accounts.ts";
import type { KnownKey } from "./known-key.ts";

const KNOWN_KEYS_MAX = 50_000;
const UNKNOWN_KEYS_MAX = 10_000;
/** After this long, an unknown key is looked up again: Redis may have been restored meanwhile. */
const UNKNOWN_MS = 30_000;

/** A bounded cache of keys, known and unknown. */
export class KeyCache {
  readonly #known: LRUCache<string, KnownKey>;
  readonly #unknown = new LRUCache<string, number>({ max: UNKNOWN_KEYS_MAX });
  /** The cached hashes of each account, so that a change to it finds its keys. */
  readonly #hashesOf = new Map<string, Set<string>>();
  readonly #keyOf = new WeakMap<Caller, KnownKey>();

  constructor() {
    this.#known = new LRUCache({
      max: KNOWN_KEYS_MAX,
      dispose: (known, hash) => this.#forgotten(known, hash),
    });
  }

  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  get(hash: string): KnownKey | undefined {
    return this.#known.get(hash);
  }

  /** Lets `keyOf` find the key of its callers, even if the key is not cached. */
  introduce(known: KnownKey): void {
    this.#keyOf.set(known.caller, known);
    this.#keyOf.set(known.callerAfterTrial, known);
  }

  remember(known: KnownKey): void {
    this.#known.set(known.hash, known);
    const hashes = this.#hashesOf.get(known.accountId);
    if (hashes === undefined) this.#hashesOf.set(known.accountId, new Set([known.hash]));
    else hashes.add(known.hash);
  }

  /** The key behind a caller that was given out. */
  keyOf(caller: Caller): KnownKey {
    const known = this.#keyOf.get(caller);
    if (known === undefined) throw new Error("the caller did not come from authenticate");
    return known;
  }

  isUnknown(hash: string, monotonicMs: number): boolean {
    const untilMs = this.#unknown.get(hash);
    return untilMs !== undefined && monotonicMs < untilMs;
  }

  rememberUnknown(hash: string, monotonicMs: number): void {
    this.#unknown.set(hash, monotonicMs + UNKNOWN_MS);
  }

  forgetAccount(accountId: string): void {
    for (const hash of this.#hashesOf.get(accountId) ?? []) this.#known.delete(hash);
  }

  forgetKnown(): void {
    this.#known.clear();
  }

  forgetUnknown(): void {
    this.#unknown.clear();
  }

  #forgotten(known: KnownKey, hash: string): void {
    known.current = false;
    const hashes = this.#hashesOf.get(known.accountId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#hashesOf.delete(known.accountId);
  }
}
