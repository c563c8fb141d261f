/** Checks that an account, and all accounts together, may have under way at once. */
const OF_ACCOUNT_MAX = 2;
const OF_ALL_MAX = 8;

/** A check under way, from the first byte of the file to the answer. */
export interface CheckPlace {
  /** Aborted when the place is left or the server stops. */
  readonly signal: AbortSignal;
  /** Ends what is still under way, and gives the place to the next. May be called again. */
  leave(): void;
}

/** Limits how many checks are under way. */
export class CheckPlaces {
  readonly #taken = new Map<AbortController, string>();

  get underWay(): number {
    return this.#taken.size;
  }

  /** A place for a check of an account; undefined if too many are under way. */
  enter(accountId: string): CheckPlace | undefined {
    const own = [...this.#taken.values()].filter((each) => each === accountId).length;
    if (own >= OF_ACCOUNT_MAX || this.#taken.size >= OF_ALL_MAX) return undefined;
    const place = new AbortController();
    this.#taken.set(place, accountId);
    return {
      signal: place.signal,
      leave: () => {
        this.#taken.delete(place);
        place.abort();
      },
    };
  }

  /** Ends all checks under way. */
  stop(): void {
    for (const place of this.#taken.keys()) place.abort();
  }
}
