import type { ServiceMeter } from "../requests/service.ts";
import { ProcessMetrics, type ProcessMetricsOptions } from "./process-metrics.ts";
import { Traffic } from "./traffic.ts";

export interface ServerMetricsOptions extends ProcessMetricsOptions {
  /** Requests that were read and not yet answered. */
  readonly inFlight: () => number;
  readonly connections: () => number;
}

/** Everything that a server reports. */
export class ServerMetrics extends ProcessMetrics {
  readonly #monotonicMs: () => number;

  constructor(options: ServerMetricsOptions) {
    super(options);
    this.#monotonicMs = options.clock.monotonicMs;
    this.registry.gauge(
      "hindsight_http_requests_in_flight",
      "Requests that were read and wait for their answer.",
      options.inFlight,
    );
    this.registry.gauge(
      "hindsight_http_connections",
      "Connections that are open.",
      options.connections,
    );
  }

  /** Returns the counter of requests for a service with these routes. Call it once. */
  meterOf(routes: readonly string[]): ServiceMeter {
    const traffic = new Traffic(this.registry, routes, this.#monotonicMs);
    return {
      over: (request, reply) => traffic.over(request, reply),
      charged: (request, units) => traffic.charged(request, units),
      outage: (error) => this.store.failed(error),
    };
  }
}
