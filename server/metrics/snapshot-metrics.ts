import type { ProcessRegistry } from "./process-registry.ts";

const DAY_SECONDS = 86_400;

/** What the metrics say about the current snapshot. */
export interface SnapshotFacts {
  readonly id: string;
  /** Days since 1970-01-01. */
  readonly asOf: number;
  /** RFC 3339 instant at which it was published. */
  readonly createdAt: string;
}

/** Which snapshot is served, how old it is, and how often it was changed or could not be. */
export class SnapshotMetrics {
  /** The current snapshot; undefined while there is none. */
  #current: SnapshotFacts | undefined = undefined;
  #switches = 0;
  #damaged = 0;

  constructor(metrics: ProcessRegistry, nowMs: () => number) {
    const loaded = "1 while a snapshot is served; `snapshot` names it.";
    metrics.gauge("hindsight_snapshot_loaded", loaded, () => {
      const facts = this.#current;
      return [facts === undefined ? { value: 0 } : { labels: { snapshot: facts.id }, value: 1 }];
    });
    metrics.gauge(
      "hindsight_snapshot_as_of_timestamp_seconds",
      "End of the last complete UTC day of the current snapshot.",
      () => this.#current && (this.#current.asOf + 1) * DAY_SECONDS,
    );
    metrics.gauge(
      "hindsight_snapshot_age_seconds",
      "Time since the current snapshot was published.",
      () => this.#current && (nowMs() - Date.parse(this.#current.createdAt)) / 1000,
    );
    metrics.counter(
      "hindsight_snapshot_switches_total",
      "Snapshots taken into service, the first included.",
      () => this.#switches,
    );
    metrics.counter(
      "hindsight_snapshot_damaged_total",
      "Snapshots that were published and could not be used.",
      () => this.#damaged,
    );
  }

  switched(facts: SnapshotFacts): void {
    this.#current = facts;
    this.#switches++;
  }

  damaged(): void {
    this.#damaged++;
  }
}
