import type { Logger } from "pino";
import { normalisedPath } from "../http/url.ts";
import type { HttpRequest } from "../http/request.ts";
import type { ServiceLog } from "../requests/service-options.ts";

/** While the accounts cannot answer, the log has the number of failed requests once in this interval. */
const OUTAGE_LINE_MS = 10_000;

/**
 * Logs requests: one line for each at level debug, and every defect. It never logs a query string or a header, which
 * might hold a key. `openLog` removes keys from paths and from ids that callers chose.
 */
export function serviceLog(log: Logger, monotonicMs: () => number): ServiceLog {
  let silentUntilMs = 0;
  let unsaid = 0;
  return {
    over: !log.isLevelEnabled("debug")
      ? undefined
      : (request, reply) =>
          log.debug({
            ...nameOf(request),
            status: reply === undefined ? "client gone" : Number(reply.status.slice(0, 3)),
            code: reply?.code,
            account: request.accountId === "" ? undefined : request.accountId,
            ms: request.startedMs > 0 ? rounded(monotonicMs() - request.startedMs) : undefined,
          }),
    defect(request, error) {
      log.error({ ...nameOf(request), err: error }, "a request met a defect");
    },
    outage({ message }) {
      unsaid++;
      const now = monotonicMs();
      if (now < silentUntilMs) return;
      silentUntilMs = now + OUTAGE_LINE_MS;
      log.error({ reason: message, requests: unsaid }, "the accounts are out of reach: 503");
      unsaid = 0;
    },
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

function nameOf({ id, method, path }: HttpRequest): object {
  return { request_id: id, method, path: normalisedPath(path) };
}
