import { performance } from "node:perf_hooks";

const LOOK_MS = 250;
/** Of the time: an event loop that is busier than this has requests to answer nearly always. */
const BUSY = 0.5;

/** Whether a thread's event loop is busy with anything but the work it is told of. */
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

  /** Tells of work that does not count. */
  worked(ms: number): void {
    this.#ownMs += ms;
  }

  /** Of the time since the last look, a quarter of a second ago or longer. */
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
