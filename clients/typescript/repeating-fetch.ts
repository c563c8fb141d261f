import { errorOf, Unavailable } from "./errors.ts";

/** A check waits for its turn, and may then take a minute. */
const CHECK_SECONDS = 150;

export interface Waits {
  /** Seconds that one request may take. */
  readonly timeout: number;
  /** Seconds that a call may wait in all between its requests. */
  readonly maxWait: number;
  /** Whether answers are kept to be asked for again by their entity tag, which is free. */
  readonly cache: boolean;
}

const KEPT_MAX = 256;
const LOST_MAX = 3;

export const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Fetches what answers with 200, or throws. Repeats 429, 503, and lost connections where no repeat is charged twice. */
export function repeatingFetch({
  timeout,
  maxWait,
  cache,
}: Waits): (asked: Request) => Promise<Response> {
  const kept = new Map<string, Response>();

  async function once(request: Request): Promise<Response> {
    const name = `${request.method} ${request.headers.get("Accept")} ${request.url}`;
    const known = kept.get(name);
    if (known !== undefined) request.headers.set("If-None-Match", known.headers.get("ETag")!);
    const isCheck = new URL(request.url).pathname.endsWith("/check");
    const seconds = isCheck ? Math.max(timeout, CHECK_SECONDS) : timeout;
    const answer = await fetch(request, { signal: AbortSignal.timeout(seconds * 1000) });
    if (answer.status === 304 && known !== undefined) return known.clone();
    const whole = new Response(await answer.arrayBuffer(), answer);
    if (cache && whole.ok && whole.headers.has("ETag")) kept.set(name, whole.clone());
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return whole;
  }

  return async (request) => {
    const repeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
    for (let waited = 0, lost = 0; ;) {
      const answer = await once(request.clone()).catch((cause: unknown) => {
        const message = `no answer from ${new URL(request.url).origin}: ${String(cause)}`;
        const wait = repeatable && ++lost <= LOST_MAX ? 2 ** (lost - 1) : undefined;
        return new Unavailable(0, { code: "connection_lost", message }, "", wait);
      });
      const isOurs =
        answer instanceof Response && !answer.headers.get("Content-Type")?.startsWith("text/html");
      if (isOurs && answer.ok) return answer;
      const failure =
        answer instanceof Response
          ? errorOf(answer.status, await answer.text(), answer.headers)
          : answer;
      const wait = failure.retryAfter ?? Infinity;
      if (waited + wait > maxWait) throw failure;
      await sleep(wait);
      waited += wait;
    }
  };
}
