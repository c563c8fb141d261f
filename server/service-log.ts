import type { Logger } from "pino";
import type { ServiceLog } from "./service.ts";

/**
 * What the log says of requests: one line each at level debug, and every defect. Never a query string or a header,
 * where a key might stand.
 */
export function serviceLog(log: Logger, nowMs: () => number): ServiceLog {
  return {
    over: !log.isLevelEnabled("debug")
      ? undefined
      : (request, reply) =>
          log.debug({
            request_id: request.id,
            method: request.method,
            path: request.path,
            status: reply === undefined ? "client gone" : Number(reply.status.slice(0, 3)),
            account: request.accountId === "" ? undefined : request.accountId,
            ms: nowMs() - request.nowMs,
          }),
    defect(request, error) {
      const { id, method, path } = request;
      log.error({ request_id: id, method, path, err: error }, "a request met a defect");
    },
  };
}
