import { LRUCache } from "lru-cache";
import type { Caller } from "../accounts.ts";
import { KnownKeys } from "../known-keys.ts";
import type { KnownKey } from "./known-key.ts";

const KNOWN_KEYS_MAX = 50_000;
const UNKNOWN_KEYS_MAX = 10_000;
/** After this long, an unknown key is looked up again: Redis may have been restored meanwhile. */
const UNKNOWN_MS = 30_000;

/** A bounded cache of keys, known and unknown. */
export class KeyCache extends KnownKeys<KnownKey> {
  readonly #unknown = new LRUCache<string, number>({ max: UNKNOWN_KEYS_MAX });
  readonly #keyOf = new WeakMap<Caller, KnownKey>();

  constructor() {
    super(KNOWN_KEYS_MAX);
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

  isUnknown(hash: string, monotonicMs: number): boolean {
    const untilMs = this.#unknown.get(hash);
    return untilMs !== undefined && monotonicMs < untilMs;
  }

  rememberUnknown(hash: string, monotonicMs: number): void {
    this.#unknown.set(hash, monotonicMs + UNKNOWN_MS);
  }

  forgetUnknown(): void {
    this.#unknown.clear();
  }
}
