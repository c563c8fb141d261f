import { RequestFault, retryAfterMs } from "./retry.ts";

/** The part of a fetch response that the exchange library reads. */
interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  text(): Promise<string>;
}

/** A large exchange's list of all markets has about 15 MB, and is requested once. */
export const MARKETS_BYTES_MAX = 128 * 1024 * 1024;
/**
 * A page of 1,000 candles is 0.2 MB. Several are under way at once, and parsing takes many times an answer's size.
 */
export const CANDLES_BYTES_MAX = 4 * 1024 * 1024;

/** Binance answers 451 to whole countries; Bybit answers 403 to some, and to addresses with too many requests. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([403, 451]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 418, 425, 429]);
/**
 * Refusals whose body says what is wrong, and is left to the library. Other refusals are final, and would be read as
 * data by the library, which does not know their status.
 */
const READ_STATUSES: ReadonlySet<number> = new Set([400, 401, 409, 422]);

export interface ExchangeFetchOptions {
  readonly now: () => number;
  /** Called with the time of an answer by the exchange's own clock, if it has one. */
  readonly onClock: (serverMs: number) => void;
  /** The longest answer that the next request may have. */
  readonly answerBytesMax: () => number;
}

/**
 * `fetch` for the exchange library, which by itself ends its timeout at the header, ignores Retry-After and reads a
 * page that is not JSON as data. Everything else is left to it.
 */
export function exchangeFetch({ now, onClock, answerBytesMax }: ExchangeFetchOptions) {
  return async (url: string, init: RequestInit): Promise<Answer> => {
    const bytesMax = answerBytesMax();
    const response = await fetch(url, { ...init, redirect: "error" });
    const { status, statusText, headers } = response;
    const serverMs = instantOf(headers);
    if (serverMs !== undefined) onClock(serverMs);
    const where = `${new URL(url).host} answered ${status}`;
    if (PASSING_STATUSES.has(status) || status >= 500) {
      await response.body?.cancel();
      const asked = retryAfterMs(headers.get("retry-after"), now());
      throw new RequestFault(where, { retryable: true, retryAfterMs: asked });
    }
    if (!response.ok && !READ_STATUSES.has(status)) {
      await response.body?.cancel();
      const refusesAll = REFUSING_STATUSES.has(status);
      const why = refusesAll ? ", it serves no requests from this address or country" : "";
      throw new RequestFault(where + why, { retryable: false, refusesAll });
    }
    const text = await boundedText(response, { where, bytesMax, signal: init.signal ?? null });
    if (response.ok && !isJson(text)) {
      throw new RequestFault(`${where} with a body that is not JSON`, { retryable: true });
    }
    return { status, statusText, headers, text: () => Promise.resolve(text) };
  };
}

/** The exchange's time now: an answer's Date plus its seconds in a cache (RFC 9110, 6.6.1; RFC 9111, 5.1). */
function instantOf(headers: Headers): number | undefined {
  const age = headers.get("age") ?? "";
  const date = headers.get("date")?.trim() ?? "";
  if (!date.endsWith(" GMT")) return undefined; // others are read in this machine's time zone, or aren't dates at all
  const at = Date.parse(date) + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * The body as text, cancelled explicitly when the signal fires. Node 20's `fetch` loses its signal once its request
 * has been garbage-collected. A stalled body would then be awaited for five minutes, and a slow one forever.
 */
async function boundedText(
  { body }: Response,
  { where, bytesMax, signal }: { where: string; bytesMax: number; signal: AbortSignal | null },
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  // Cancelling a body that has failed rejects too; the read reports that failure.
  const cut = () => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", cut, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted(); // a cancelled body reads as one that has ended
      if (done) return Buffer.concat(chunks).toString("utf8");
      bytes += value.length;
      if (bytes > bytesMax) {
        throw new RequestFault(`${where} with more than ${bytesMax} bytes`, { retryable: false });
      }
      chunks.push(value);
    }
  } finally {
    signal?.removeEventListener("abort", cut);
    cut();
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
