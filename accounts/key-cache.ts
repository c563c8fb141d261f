import { LRUCache } from "lru-cache";
import { bearerOf, environmentOf, hashKey } from "./keys.ts";

/** With more keys, the cache is emptied, and keys are read again as they come. */
const KNOWN_KEYS_MAX = 200_000;
const REFUSED_KEYS_MAX = 10_000;
/** After this time, a refused key is looked up again, because the store may have been restored. */
const REFUSED_MS = 30_000;

/**
 * A cache of the keys that a server has seen. Every well-formed key that is not in force takes the same time to refuse,
 * whether it never existed, was revoked or has expired.
 */
export class KeyCache<Key> {
  /** By the header that carries them, which saves hashing the key of every request. */
  readonly known = new Map<string, Key>();
  /** The end of each refusal, by hash. The option `max` would allocate the whole cache at the start. */
  readonly #refusedUntilMs = new LRUCache<string, number>({
    maxSize: REFUSED_KEYS_MAX,
    sizeCalculation: () => 1,
  });
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  find(authorization: string): Key | undefined {
    return this.known.get(authorization) ?? this.known.get(usualHeader(authorization));
  }

  /** The hash to look up a key by; undefined if the key is missing, mistyped or was refused recently. */
  hashOf(authorization: string): string | undefined {
    const key = bearerOf(authorization);
    if (environmentOf(key) === undefined) return undefined;
    const hash = hashKey(key);
    const untilMs = this.#refusedUntilMs.get(hash) ?? Number.NEGATIVE_INFINITY;
    return this.#monotonicMs() < untilMs ? undefined : hash;
  }

  keep(authorization: string, key: Key): void {
    if (this.known.size >= KNOWN_KEYS_MAX) this.known.clear();
    this.known.set(usualHeader(authorization), key);
  }

  refuse(hash: string): void {
    this.#refusedUntilMs.set(hash, this.#monotonicMs() + REFUSED_MS);
  }

  /** Call when any account or key has changed. */
  clear(): void {
    this.known.clear();
    this.#refusedUntilMs.clear();
  }
}

function usualHeader(authorization: string): string {
  return `Bearer ${bearerOf(authorization)}`;
}
