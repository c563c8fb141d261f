import type { Histogram } from "prom-client";
import { LINK_OUTCOMES, type LinkOutcome } from "../../accounts/access-rules.ts";
import type { ServiceMeter } from "../requests/service-options.ts";
import { ProcessMetrics, type ProcessMetricsOptions } from "./process-metrics.ts";
import { STATUS_OF, type ErrorCode } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { addUpkeep, type Upkeep } from "./upkeep-metrics.ts";
import type { Sample, ProcessRegistry } from "./process-registry.ts";

export interface ServerMetricsOptions extends ProcessMetricsOptions, Upkeep {
  /** Requests that were read and not yet answered. */
  readonly inFlight: () => number;
  readonly connections: () => number;
  /** Undefined where no process beside this server runs backtests. */
  readonly backtestsReady: () => boolean | undefined;
}

export class ServerMetrics extends ProcessMetrics {
  readonly #monotonicMs: () => number;
  readonly #links = new Map<LinkOutcome, number>(LINK_OUTCOMES.map((each) => [each, 0]));

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
    this.registry.gauge(
      "hindsight_backtests_ready",
      "0 while the process beside this server cannot run backtests.",
      () => {
        const isReady = options.backtestsReady();
        return isReady === undefined ? undefined : Number(isReady);
      },
    );
    addUpkeep(this.registry, options);
    this.registry.counter(
      "hindsight_links_total",
      "Links by mail that were requested, by what became of them.",
      () => [...this.#links].map(([outcome, value]) => ({ labels: { outcome }, value })),
    );
  }

  /** Counts what became of a form that asks for a link to sign in. */
  readonly countLink = (outcome: LinkOutcome): void => add(this.#links, outcome);

  /** The counter of requests for a service with these routes. Call it once. */
  meterOf(routes: readonly string[]): ServiceMeter {
    const traffic = new Traffic(this.registry, routes, this.#monotonicMs);
    return {
      over: (request, reply) => traffic.over(request, reply),
      charged: (request, units) => traffic.charged(request, units),
      outage: (error) => this.store.failed(error),
    };
  }
}

/** Inclusive upper bounds in seconds, from an answer out of memory to one that hangs. */
const LATENCY_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
  2.5, 5,
];

const CODES = Object.keys(STATUS_OF) as ErrorCode[];
/** The "status" of a client that left before its answer. */
const GONE = "gone";

/** Counts requests and answers by the index of their route. Names and labels are added at a scrape. */
export class Traffic {
  /** The names of the routes. Requests without a route have index 0. */
  readonly #routes: readonly string[];
  readonly #monotonicMs: () => number;
  /** By route: how many answers had each status line. */
  readonly #requests: readonly Map<string, number>[];
  readonly #refusals = new Map(CODES.map((code) => [code, 0]));
  readonly #calls: Float64Array;
  readonly #units: Float64Array;
  readonly #latency: Histogram<"route">;

  constructor(metrics: ProcessRegistry, routes: readonly string[], monotonicMs: () => number) {
    this.#routes = routes;
    this.#monotonicMs = monotonicMs;
    const { length } = routes;
    this.#requests = Array.from({ length }, () => new Map<string, number>());
    this.#calls = new Float64Array(length);
    this.#units = new Float64Array(length);
    metrics.counter(
      "hindsight_http_requests_total",
      'Requests by route and status; "gone" is a client that left before its answer.',
      () => this.#requestSamples(),
    );
    this.#latency = metrics.histogram(
      "hindsight_http_request_duration_seconds",
      "From a request read whole to its answer written, by route.",
      LATENCY_BOUNDS,
      "route",
    );
    metrics.counter("hindsight_refusals_total", "Error answers by code.", () =>
      [...this.#refusals].map(([code, value]) => ({ labels: { code }, value })),
    );
    metrics.counter("hindsight_charged_calls_total", "Calls that were charged, by route.", () =>
      this.#byRoute(this.#calls),
    );
    metrics.counter("hindsight_charged_units_total", "Units they were charged, by route.", () =>
      this.#byRoute(this.#units),
    );
  }

  /** A request is over; without a reply, its client left first. */
  over({ route, startedMs }: HttpRequest, reply: Reply | undefined): void {
    add(this.#requests[route]!, reply?.status ?? GONE);
    if (reply?.code !== undefined) add(this.#refusals, reply.code);
    // A request refused before it was read in full has no start time.
    if (startedMs === 0) return;
    this.#latency.observe(
      { route: this.#routes[route]! },
      (this.#monotonicMs() - startedMs) / 1000,
    );
  }

  /** A charge has reached the store. */
  charged(request: HttpRequest, units: number): void {
    const { route } = request;
    this.#calls[route] = this.#calls[route]! + 1;
    this.#units[route] = this.#units[route]! + units;
  }

  #byRoute(counts: Float64Array): readonly Sample[] {
    return this.#routes.map((route, index) => ({ labels: { route }, value: counts[index]! }));
  }

  #requestSamples(): readonly Sample[] {
    return this.#requests.flatMap((counts, index) => {
      const route = this.#routes[index]!; // one for each
      return [...counts].map(([line, value]) => {
        const status = line === GONE ? GONE : line.slice(0, 3);
        return { labels: { route, status }, value };
      });
    });
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
