import type { Sample } from "./process-registry.ts";

/** Inclusive upper bounds in seconds, from an answer out of memory to one that hangs. */
const LATENCY_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
  2.5, 5,
];

export class LatencyHistogram {
  readonly #bounds: readonly number[];
  /** A count for each bound, and one for everything above the last. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds = LATENCY_BOUNDS) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** Looks for the bucket from the lowest bound, because most durations are short. */
  record(seconds: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    this.#counts[bucket] = this.#counts[bucket]! + 1;
    this.#sum += seconds;
  }

  /** As Prometheus reads it: cumulative buckets, the sum and the count. */
  samples(name: string, labels: Sample["labels"] = {}): readonly Sample[] {
    let total = 0;
    const buckets = [...this.#bounds, "+Inf"].map((bound, bucket) => {
      total += this.#counts[bucket]!;
      return {
        metricName: `${name}_bucket`,
        labels: { le: String(bound), ...labels },
        value: total,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }

  /** Whether nothing was recorded. */
  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }
}
