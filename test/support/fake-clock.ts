/** A wall clock and a monotonic clock that stand still until a test moves them. */
export class FakeClock {
  wallMs = Date.parse("2026-02-10T12:00:00Z");
  steadyMs = 1_000;
  readonly nowMs = () => this.wallMs;
  readonly monotonicMs = () => this.steadyMs;

  /** Lets time pass on both clocks. */
  pass(ms: number): void {
    this.wallMs += ms;
    this.steadyMs += ms;
  }
}
