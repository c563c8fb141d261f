/**
 * A steady clock that stands still while a request is looked at: what is decided of it is decided at the instant of
 * its arrival, and one reading serves all. A reading costs as much as finding an answer does.
 */
export class ArrivalClock {
  readonly #steadyMs: () => number;
  #heldMs = 0;
  #isHeld = false;

  constructor(steadyMs: () => number) {
    this.#steadyMs = steadyMs;
  }

  /** The instant of the request at hand, or else now. */
  readonly readMs = (): number => (this.#isHeld ? this.#heldMs : this.#steadyMs());

  /** Runs to its end what is to see one instant. */
  hold(): number {
    this.#heldMs = this.#steadyMs();
    this.#isHeld = true;
    return this.#heldMs;
  }

  release(): void {
    this.#isHeld = false;
  }
}
