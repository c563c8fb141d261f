/**
 * A steady clock that stands still while a request is being looked at. Everything about the request is
 * decided at the instant it arrived, with a single reading: a reading costs as much as finding an answer.
 */
export class ArrivalClock {
  readonly #steadyMs: () => number;
  #heldMs = 0;
  #isHeld = false;

  constructor(steadyMs: () => number) {
    this.#steadyMs = steadyMs;
  }

  /** The instant of the request at hand; without one, the present. */
  readonly readMs = (): number => (this.#isHeld ? this.#heldMs : this.#steadyMs());

  /** Stops the clock at the present instant until `release`. */
  hold(): number {
    this.#heldMs = this.#steadyMs();
    this.#isHeld = true;
    return this.#heldMs;
  }

  release(): void {
    this.#isHeld = false;
  }
}
