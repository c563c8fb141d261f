import type { Sample } from "./metric.ts";

/**
 * Inclusive upper bounds in seconds, as Prometheus has them: from an answer out of memory to one that hangs.
 */
const LATENCY_BOUNDS: readonly number[] = [
  0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
  2.5, 5,
];

/** Time histograms for a fixed number of series, kept in typed arrays. */
export class LatencyHistograms {
  readonly #bounds: Float64Array;
  /** Per series: a count for each bound, and one for everything above the last. */
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;

  constructor(series: number, bounds: readonly number[] = LATENCY_BOUNDS) {
    this.#bounds = Float64Array.from(bounds);
    this.#counts = new Float64Array(series * (bounds.length + 1));
    this.#sums = new Float64Array(series);
  }

  /** Tries the bounds from the lowest, because most times are short. */
  record(series: number, seconds: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    const at = series * (bounds.length + 1) + bucket;
    this.#counts[at] = this.#counts[at]! + 1;
    this.#sums[series] = this.#sums[series]! + seconds;
  }

  /** A series as Prometheus reads it: cumulative buckets, the sum and the count. */
  samples(name: string, series: number, labels: Sample["labels"] = {}): readonly Sample[] {
    const samples: Sample[] = [];
    const first = series * (this.#bounds.length + 1);
    let total = 0;
    for (const [bucket, bound] of this.#bounds.entries()) {
      total += this.#counts[first + bucket]!;
      const le = String(bound);
      samples.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: total });
    }
    total += this.#counts[first + this.#bounds.length]!;
    samples.push({ metricName: `${name}_bucket`, labels: { le: "+Inf", ...labels }, value: total });
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sums[series]! });
    samples.push({ metricName: `${name}_count`, labels, value: total });
    return samples;
  }

  /** Whether anything was recorded in a series. */
  isEmpty(series: number): boolean {
    const first = series * (this.#bounds.length + 1);
    return this.#counts.subarray(first, first + this.#bounds.length + 1).every((n) => n === 0);
  }
}
