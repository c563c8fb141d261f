import { LRUCache } from "lru-cache";

interface OfAccount {
  readonly accountId: string;
  /** Turns false when the key is dropped. */
  current: boolean;
}

/** The keys that a process knows, by hash: bounded, and a change to an account finds its keys. */
export class KnownKeys<Known extends OfAccount> {
  readonly #known: LRUCache<string, Known>;
  readonly #hashesOf = new Map<string, Set<string>>();

  constructor(keysMax: number) {
    // `maxSize` with a size of 1 each, because `max` makes the cache fill its tables up front: 13 ms of a
    // start.
    this.#known = new LRUCache({
      maxSize: keysMax,
      sizeCalculation: () => 1,
      dispose: (known, hash) => this.#dropped(known, hash),
    });
  }

  get(hash: string): Known | undefined {
    return this.#known.get(hash);
  }

  remember(hash: string, known: Known): void {
    this.#known.set(hash, known);
    const hashes = this.#hashesOf.get(known.accountId);
    if (hashes === undefined) this.#hashesOf.set(known.accountId, new Set([hash]));
    else hashes.add(hash);
  }

  forgetAccount(accountId: string): void {
    for (const hash of this.#hashesOf.get(accountId) ?? []) this.#known.delete(hash);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  #dropped(known: Known, hash: string): void {
    known.current = false;
    const hashes = this.#hashesOf.get(known.accountId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.#hashesOf.delete(known.accountId);
  }
}
