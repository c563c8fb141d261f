import { performance } from "node:perf_hooks";

const LOOK_MS = 250;
/** A share of the time. An event loop busier than this nearly always has requests to answer. */
const BUSY = 0.5;

/** Whether a thread's event loop is busy with anything but the work reported to `worked`. */
export class LoopLoad {
  readonly #monotonicMs: () => number;
  readonly #activeMs: () => number;
  #sinceMs: number;
  #activeBeforeMs: number;
  #ownMs = 0;
  #isHigh = false;

  constructor(
    monotonicMs: () => number,
    activeMs = () => performance.eventLoopUtilization().active,
  ) {
    this.#monotonicMs = monotonicMs;
    this.#activeMs = activeMs;
    this.#sinceMs = monotonicMs();
    this.#activeBeforeMs = activeMs();
  }

  /** Reports time that does not count. */
  worked(ms: number): void {
    this.#ownMs += ms;
  }

  /** Judged over the time since the last look, which was at least a quarter of a second ago. */
  get isHigh(): boolean {
    const nowMs = this.#monotonicMs();
    const elapsedMs = nowMs - this.#sinceMs;
    if (elapsedMs < LOOK_MS) return this.#isHigh;
    const activeMs = this.#activeMs();
    this.#isHigh = (activeMs - this.#activeBeforeMs - this.#ownMs) / elapsedMs > BUSY;
    this.#sinceMs = nowMs;
    this.#activeBeforeMs = activeMs;
    this.#ownMs = 0;
    return this.#isHigh;
  }
}
