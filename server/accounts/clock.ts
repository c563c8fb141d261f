/** The two clocks of a process, injected so that tests move them. */
export interface AccountsClock {
  /** Wall time, milliseconds since 1970, as `Date.now`. */
  readonly nowMs: () => number;
  /** Time that never jumps and is the same in all processes of the machine: see `steady-clock.ts`. */
  readonly monotonicMs: () => number;
}
