import { LRUCache } from "lru-cache";
import { bearerOf, environmentOf, hashKey } from "./keys.ts";

/** Beyond this, the keys that were found are forgotten, and read again as they come. */
const KNOWN_KEYS_MAX = 200_000;
const REFUSED_KEYS_MAX = 10_000;
/** After this long, a refused key is looked up again: the store may have been restored meanwhile. */
const REFUSED_MS = 30_000;

/**
 * Keys that a server has seen, whichever store they are in. Every well-formed key that the store does not have in force
 * takes the same time, whether it never was, was revoked or has expired.
 */
export class KeyCache<Key> {
  /** By the header that carries them, which spares a request the hash. */
  readonly #known = new Map<string, Key>();
  /** By hash, until when a key is refused. `max` would fill the cache's tables at the start. */
  readonly #refusedUntilMs = new LRUCache<string, number>({
    maxSize: REFUSED_KEYS_MAX,
    sizeCalculation: () => 1,
  });
  readonly #monotonicMs: () => number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** A key that was found before. */
  find(authorization: string): Key | undefined {
    return this.#known.get(authorization) ?? this.#known.get(usualHeader(authorization));
  }

  /** What to look a key up by; undefined if there is none, or if it is mistyped or was refused lately. */
  hashOf(authorization: string): string | undefined {
    const key = bearerOf(authorization);
    if (environmentOf(key) === undefined) return undefined; // not worth a hash
    const hash = hashKey(key);
    const untilMs = this.#refusedUntilMs.get(hash) ?? Number.NEGATIVE_INFINITY;
    return this.#monotonicMs() < untilMs ? undefined : hash;
  }

  keep(authorization: string, key: Key): void {
    if (this.#known.size >= KNOWN_KEYS_MAX) this.#known.clear();
    this.#known.set(usualHeader(authorization), key);
  }

  refuse(hash: string): void {
    this.#refusedUntilMs.set(hash, this.#monotonicMs() + REFUSED_MS);
  }

  /** Call when any account or key has changed. */
  clear(): void {
    this.#known.clear();
    this.#refusedUntilMs.clear();
  }
}

function usualHeader(authorization: string): string {
  return `Bearer ${bearerOf(authorization)}`;
}
