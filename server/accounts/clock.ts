/** The two clocks of a process, injected so that tests move them. */
export interface AccountsClock {
  /** Wall time, milliseconds since 1970, as `Date.now`. */
  readonly nowMs: () => number;
  /** Time that never jumps, in milliseconds from any instant, as `performance.now`. */
  readonly monotonicMs: () => number;
}
