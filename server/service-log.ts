import type { Logger } from "pino";
import type { HttpRequest } from "./http/request.ts";
import type { ServiceLog } from "./service.ts";

/** A key wherever a caller put it by mistake, whole or cut short. */
const KEYS = /hs_(live|test)_[0-9A-Za-z]+/g;

/**
 * What the log says of requests: one line each at level debug, and every defect. Never a query string or a header,
 * where a key might stand; from a path, and an id that the caller gave, keys are taken out.
 */
export function serviceLog(log: Logger, nowMs: () => number): ServiceLog {
  return {
    over: !log.isLevelEnabled("debug")
      ? undefined
      : (request, reply) =>
          log.debug({
            ...nameOf(request),
            status: reply === undefined ? "client gone" : Number(reply.status.slice(0, 3)),
            account: request.accountId === "" ? undefined : request.accountId,
            ms: nowMs() - request.nowMs,
          }),
    defect(request, error) {
      log.error({ ...nameOf(request), err: error }, "a request met a defect");
    },
  };
}

function nameOf({ id, method, path }: HttpRequest): object {
  return { request_id: withoutKeys(id), method, path: withoutKeys(path) };
}

function withoutKeys(text: string): string {
  return text.replace(KEYS, "hs_$1_...");
}
