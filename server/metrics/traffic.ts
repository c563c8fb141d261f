import { STATUS_OF, type ErrorCode } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { LatencyHistograms } from "./latency-histogram.ts";
import type { Sample } from "./metric.ts";
import type { ProcessRegistry } from "./process-registry.ts";

/** Every status an answer may have, and "gone" for a client that left before its answer. */
const STATUSES = [
  "gone",
  "200",
  "204",
  "304",
  ...new Set(Object.values(STATUS_OF).map((line) => line.slice(0, 3))),
] as const;
const GONE = 0;
const CODES = Object.keys(STATUS_OF) as ErrorCode[];
const CODE_INDEX = new Map(CODES.map((code, index) => [code, index]));

/** Index in `STATUSES` by status code; 0 for a code that is not listed, since no answer has the first. */
const INDEX_OF_STATUS = new Uint8Array(600);
for (const [index, status] of STATUSES.entries()) {
  if (index !== GONE) INDEX_OF_STATUS[Number(status)] = index;
}

export interface TrafficOptions {
  /** Route names by index; requests without a route have index 0. */
  readonly routes: readonly string[];
  readonly monotonicMs: () => number;
}

/**
 * Counts requests and answers in typed arrays: a request costs two readings of the clock and a few additions.
 * Names and labels are added when somebody asks.
 */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #requests: Float64Array;
  readonly #refusals = new Float64Array(CODES.length);
  readonly #calls: Float64Array;
  readonly #units: Float64Array;
  readonly #latency: LatencyHistograms;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const { length } = options.routes;
    this.#requests = new Float64Array(length * STATUSES.length);
    this.#calls = new Float64Array(length);
    this.#units = new Float64Array(length);
    this.#latency = new LatencyHistograms(length);
  }

  /** A request is over; without a reply, its client left first. */
  over(request: HttpRequest, reply: Reply | undefined): void {
    const { route, startedMs } = request;
    const at = route * STATUSES.length + (reply === undefined ? GONE : statusIndex(reply.status));
    this.#requests[at] = this.#requests[at]! + 1;
    if (reply?.code !== undefined) {
      const code = CODE_INDEX.get(reply.code)!; // every code has a status line
      this.#refusals[code] = this.#refusals[code]! + 1;
    }
    // A request refused before it was read in full has no start time.
    if (startedMs > 0) {
      this.#latency.record(route, (this.#options.monotonicMs() - startedMs) / 1000);
    }
  }

  /** A charge has reached the store. */
  charged(request: HttpRequest, units: number): void {
    const { route } = request;
    this.#calls[route] = this.#calls[route]! + 1;
    this.#units[route] = this.#units[route]! + units;
  }

  register(metrics: ProcessRegistry): void {
    const { routes } = this.#options;
    metrics.add({
      name: "hindsight_http_requests_total",
      help: 'Requests by route and status; "gone" is a client that left before its answer.',
      type: "counter",
      read: () => this.#requestSamples(),
    });
    metrics.add({
      name: "hindsight_http_request_duration_seconds",
      help: "From a request read whole to its answer written, by route.",
      type: "histogram",
      read: () =>
        routes.flatMap((route, index) =>
          this.#latency.isEmpty(index)
            ? []
            : this.#latency.samples("hindsight_http_request_duration_seconds", index, { route }),
        ),
    });
    metrics.add({
      name: "hindsight_refusals_total",
      help: "Error answers by code.",
      type: "counter",
      read: () => CODES.map((code, index) => ({ labels: { code }, value: this.#refusals[index]! })),
    });
    const charges = [
      ["hindsight_charged_calls_total", "Calls that were charged, by route.", this.#calls],
      ["hindsight_charged_units_total", "Units they were charged, by route.", this.#units],
    ] as const;
    for (const [name, help, counts] of charges) {
      metrics.add({
        name,
        help,
        type: "counter",
        read: () => routes.map((route, index) => ({ labels: { route }, value: counts[index]! })),
      });
    }
  }

  #requestSamples(): readonly Sample[] {
    const samples: Sample[] = [];
    for (const [index, value] of this.#requests.entries()) {
      if (value === 0) continue; // most routes have only a few of the statuses
      const route = this.#options.routes[Math.floor(index / STATUSES.length)]!;
      const status = STATUSES[index % STATUSES.length]!;
      samples.push({ labels: { route, status }, value });
    }
    return samples;
  }
}

/** Takes the three digits of a status line without making a string of them. */
function statusIndex(line: string): number {
  const status = line.charCodeAt(0) * 100 + line.charCodeAt(1) * 10 + line.charCodeAt(2) - 48 * 111;
  return INDEX_OF_STATUS[status] ?? GONE;
}
