import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { HttpServer } from "../http/listen.ts";
import type { Service } from "./service.ts";

/** How long a stop waits for requests in flight. */
const DRAIN_MAX_MS = 8000;
const DRAIN_STEP_MS = 10;
/** After this part of it, checks that are still running are answered 503. */
const CHECKS_END_MS = 6000;

/** Takes no new requests and waits for those in flight. */
export async function drain(service: Service, http: HttpServer, log: Logger): Promise<void> {
  const { monotonicMs } = service.parts;
  service.draining = true;
  http.stopAccepting();
  const endChecks = setTimeout(() => service.parts.checkSlots.stop(), CHECKS_END_MS);
  const giveUpAt = monotonicMs() + DRAIN_MAX_MS;
  while (http.inFlight() > 0 && monotonicMs() < giveUpAt) {
    await sleep(DRAIN_STEP_MS);
  }
  clearTimeout(endChecks);
  if (http.inFlight() > 0) log.warn({ requests: http.inFlight() }, "gave up requests in flight");
}
