import type { Histogram } from "prom-client";
import { staleDays } from "../../api/age.ts";
import { JOB_ERROR_CODES } from "../../api/backtest.ts";
import type { AccountsClock } from "../../accounts/accounts.ts";
import type { JobCounts, ReleaseReason } from "../../accounts/jobs/job-store.ts";
import type { ClaimedJob, JobError, JobOutcome } from "../../accounts/jobs/job.ts";
import type { JobObserver } from "../jobs/job-runner.ts";
import { ProcessRegistry, type ProcessOptions } from "./process-registry.ts";
import { StoreMetrics, type StoreMetricsOptions } from "./store-metrics.ts";

export interface ProcessMetricsOptions extends ProcessOptions {
  readonly clock: AccountsClock;
  readonly store: StoreMetricsOptions;
  /** Called at each scrape; the store may not be there yet. */
  readonly jobs: () => JobCounts | Promise<JobCounts>;
}

/** The metrics of both servers and workers: the process, the store, the snapshot, the backtests. */
export class ProcessMetrics {
  readonly registry: ProcessRegistry;
  readonly jobs: JobMetrics;
  readonly snapshots: SnapshotMetrics;
  readonly store: StoreMetrics;

  constructor(options: ProcessMetricsOptions) {
    const { clock, store, jobs } = options;
    this.registry = new ProcessRegistry(options);
    this.store = new StoreMetrics(this.registry, store, clock);
    this.snapshots = new SnapshotMetrics(this.registry, clock.nowMs);
    this.jobs = new JobMetrics(this.registry, jobs, clock);
  }
}

/** Upper bounds in seconds: a backtest takes milliseconds, but a queue may be long. */
const JOB_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800];

type Ending = "done" | JobError["code"] | ReleaseReason;
const ENDINGS: readonly Ending[] = ["done", ...JOB_ERROR_CODES, "again", "left"];

/** The backtests of this process, and how many wait and run in total. */
class JobMetrics implements JobObserver {
  readonly #clock: AccountsClock;
  readonly #begunMs = new Map<ClaimedJob, number>();
  readonly #ended = new Map<Ending, number>(ENDINGS.map((ending) => [ending, 0]));
  readonly #waits: Histogram;
  readonly #runs: Histogram;

  constructor(
    metrics: ProcessRegistry,
    counts: () => JobCounts | Promise<JobCounts>,
    clock: AccountsClock,
  ) {
    this.#clock = clock;
    const help =
      "Backtests of all accounts by state, as the store has them; the same in every process.";
    metrics.gauge("hindsight_jobs", help, async () => {
      const { queued, running } = await counts();
      return [
        { labels: { state: "queued" }, value: queued },
        { labels: { state: "running" }, value: running },
      ];
    });
    metrics.gauge(
      "hindsight_jobs_running_here",
      "Backtests this process runs now.",
      () => this.#begunMs.size,
    );
    metrics.counter(
      "hindsight_jobs_ended_total",
      'Attempts of this process by outcome; "again" lost its worker, "left" went to another process.',
      () => [...this.#ended].map(([outcome, value]) => ({ labels: { outcome }, value })),
    );
    this.#waits = metrics.histogram(
      "hindsight_job_wait_duration_seconds",
      "From a backtest's acceptance to its first start.",
      JOB_BOUNDS,
    );
    this.#runs = metrics.histogram(
      "hindsight_job_run_duration_seconds",
      "From the start of an attempt to its outcome.",
      JOB_BOUNDS,
    );
  }

  begun(job: ClaimedJob): void {
    this.#begunMs.set(job, this.#clock.monotonicMs());
    // A second attempt's wait would include the first attempt's run. The clocks of two machines may differ, hence the 0.
    if (job.attempt > 1) return;
    this.#waits.observe(Math.max(0, this.#clock.nowMs() - job.createdMs) / 1000);
  }

  ended(job: ClaimedJob, outcome: JobOutcome | ReleaseReason): void {
    const begunMs = this.#begunMs.get(job);
    if (begunMs !== undefined) this.#runs.observe((this.#clock.monotonicMs() - begunMs) / 1000);
    this.#begunMs.delete(job);
    const ending = endingOf(outcome);
    this.#ended.set(ending, (this.#ended.get(ending) ?? 0) + 1);
  }
}

function endingOf(outcome: JobOutcome | ReleaseReason): Ending {
  if (typeof outcome === "string") return outcome;
  return outcome.ok ? "done" : outcome.error.code;
}

const DAY_SECONDS = 86_400;

export interface SnapshotFacts {
  readonly id: string;
  /** Days since 1970-01-01. */
  readonly asOf: number;
  /** RFC 3339 instant at which it was published. */
  readonly createdAt: string;
}

/** Which snapshot is served, how old it is, and how often it was replaced or could not be used. */
export class SnapshotMetrics {
  /** The current snapshot; undefined while there is none. */
  #current: SnapshotFacts | undefined = undefined;
  #switches = 0;
  #damaged = 0;
  /** Set by what follows the published snapshots. */
  isRefused: () => boolean = () => false;

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
      "hindsight_snapshot_stale",
      "1 if the prices of the current snapshot end more than two days ago.",
      () => this.#current && Number(staleDays(this.#current.asOf, nowMs()) !== undefined),
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
    metrics.gauge(
      "hindsight_snapshot_refused",
      "1 while the snapshot that was published last cannot be used here.",
      () => Number(this.isRefused()),
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
