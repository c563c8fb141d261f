const WINDOW_MS = 60_000;

interface Window {
  startedMs: number;
  count: number;
}

/** Counts each account's requests in this process's memory, in fixed windows of a minute. */
export class RateLimit {
  readonly #windows = new Map<string, Window>();

  /**
   * Counts a request. Returns whether it is within the limit, what is left, and the seconds until the window
   * ends.
   */
  admit(accountId: string, limit: number, nowMs: number) {
    let window = this.#windows.get(accountId);
    if (window === undefined) {
      window = { startedMs: nowMs, count: 0 };
      this.#windows.set(accountId, window);
    }
    if (nowMs - window.startedMs >= WINDOW_MS) {
      window.startedMs = nowMs;
      window.count = 0;
    }
    const admitted = window.count < limit;
    if (admitted) window.count++;
    const resetSeconds = Math.ceil((window.startedMs + WINDOW_MS - nowMs) / 1000);
    return { admitted, remaining: limit - window.count, resetSeconds };
  }
}
