/** Attempts per request, including the first. */
const ATTEMPTS_MAX = 6;
/** Doubles each time: the fifth and last wait is 8 seconds. */
const WAIT_FIRST_MS = 500;
/** A server that requests a longer pause gets no further request in this run. */
const RETRY_AFTER_MAX_MS = 5 * 60_000;
/** After so many refusals of this address in a row, a server gets no further request in this run. */
const REFUSALS_MAX = 3;

interface FaultFacts {
  readonly retryable: boolean;
  /** The pause the server requires. */
  readonly retryAfterMs?: number | null;
  /** Whether the server refuses this client rather than this request. */
  readonly refusesAll?: boolean;
  readonly cause?: unknown;
}

/** A request that failed, and whether a retry may succeed. */
export class RequestFault extends Error implements FaultFacts {
  override readonly name = "RequestFault";
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly refusesAll: boolean;

  constructor(message: string, { retryable, retryAfterMs, refusesAll, cause }: FaultFacts) {
    super(message, { cause });
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs ?? null;
    this.refusesAll = refusesAll ?? false;
  }
}

interface RetryOptions {
  /** A clock that is never set: if it were set back by a month, a pause would last a month. */
  readonly elapsedMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Uniform in (0, 1). */
  readonly random: () => number;
  readonly onNotice: (message: string) => void;
  /** Classifies an error of the client library; passes a RequestFault through. */
  readonly faultOf: (error: unknown) => RequestFault;
}

/**
 * Retries requests that failed for a passing reason, with exponential back-off, and jitter so that coins that failed
 * together do not retry together. When one answer requests a pause, all requests wait, because servers ban addresses
 * that go on. After three refusals of this address in a row no more requests are sent, because Bybit bans such
 * clients permanently ("Rate Limit Rules").
 */
export function makeRetrier(options: RetryOptions): <T>(request: () => Promise<T>) => Promise<T> {
  const { elapsedMs, sleep, random, onNotice, faultOf } = options;
  let pausedUntil = 0;
  let closed: RequestFault | undefined;
  let refusals = 0;

  const wait = async (fault: RequestFault, attempt: number): Promise<void> => {
    const backOff = WAIT_FIRST_MS * 2 ** (attempt - 1);
    const jittered = backOff * (0.5 + 0.5 * random());
    if (fault.retryAfterMs !== null)
      pausedUntil = Math.max(pausedUntil, elapsedMs() + fault.retryAfterMs);
    const ms = Math.round(Math.max(jittered, (fault.retryAfterMs ?? 0) + backOff * 0.2 * random()));
    onNotice(`${fault.message}; attempt ${attempt} of ${ATTEMPTS_MAX}, next in ${ms} ms`);
    await sleep(ms);
  };

  /** Checks again after waiting, because another answer may have requested a longer pause meanwhile. */
  const pauseIsOver = async (): Promise<void> => {
    for (;;) {
      if (closed !== undefined) throw closed;
      const pause = pausedUntil - elapsedMs();
      if (pause <= 0) return;
      await sleep(pause);
    }
  };

  return async <T>(request: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      await pauseIsOver();
      try {
        const answer = await request();
        refusals = 0;
        return answer;
      } catch (error) {
        const fault = faultOf(error);
        refusals = fault.refusesAll ? refusals + 1 : 0;
        if (refusals >= REFUSALS_MAX) closed = fault;
        if ((fault.retryAfterMs ?? 0) > RETRY_AFTER_MAX_MS) closed = fault;
        if (!fault.retryable || closed !== undefined || attempt >= ATTEMPTS_MAX) throw fault;
        await wait(fault, attempt);
      }
    }
  };
}

/** The pause in a Retry-After field, in milliseconds (RFC 9110, 10.2.3): the field has seconds or a date. */
export function retryAfterMs(field: string | null, nowMs: number): number | null {
  if (field === null) return null;
  const text = field.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // The check for GMT matters: `Date.parse` reads "-5" as a year.
  const at = text.endsWith(" GMT") ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
