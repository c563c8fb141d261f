import { Attribution } from "../../api/attribution.ts";
import { afterEach, beforeEach } from "vitest";
import type { Caller } from "../../accounts/accounts.ts";
import type { ClaimedJob, JobKind } from "../../accounts/jobs/job.ts";
import type { Submission, SubmitOutcome } from "../../accounts/jobs/job-store.ts";
import { gzipSync } from "node:zlib";
import type { JobBench, JobProcess } from "./job-bench.ts";

export const REQUEST = {
  strategy: "ma_cross",
  coin: "btc",
  startDay: 18_262,
  startingCashUsd: 10_000,
  variant: 1,
};
const STUDY = {
  strategy: "ma_cross",
  coin: "btc",
  startDay: 18_262,
  parameters: { fast: [5, 10] },
  endDay: 19_000,
  feeRate: 0.001,
  slippageRate: 0.0005,
};
/** The submissions of each kind. The study is of one run, so that both cost the same. */
export const ASKED = {
  backtest: { kind: "backtest", request: REQUEST, runs: 1, endpoint: "/backtests" },
  study: {
    kind: "study",
    request: STUDY,
    runs: 1,
    endpoint: "/studies",
    tried: { scope: "ma_cross btc", digests: ["fast5", "fast10"] },
  },
} as const;
export const DAY_MS = 86_400_000;
export const RESULT = { ok: true, result: gzipSync('{"sharpe":1}') } as const;
export const FAILURE = {
  ok: false,
  error: { code: "timed_out", message: "the backtest did not end within 60 s" },
} as const;

const ATTRIBUTION = Attribution.from({
  prices: "demo",
  snapshot: "s1",
  asOf: 20_000,
  stale: false,
  synthetic: true,
});

export function submissionOf(
  bench: Pick<JobBench, "clock">,
  caller: Caller,
  idempotencyKey?: string,
  kind: JobKind = "backtest",
): Submission {
  const source = { snapshotId: "s1", attribution: ATTRIBUTION };
  return { caller, ...ASKED[kind], ...source, idempotencyKey, nowMs: bench.clock.wallMs };
}

export function acceptedId(outcome: SubmitOutcome): number {
  if (outcome.kind !== "accepted") throw new Error(`expected a job, got ${outcome.kind}`);
  return outcome.jobId;
}

/** A bench with one process for each test, and the steps that most tests take. */
export function jobBenchOfEachTest<Bench extends JobBench>(
  open: () => Bench | Promise<Bench>,
  kind: JobKind = "backtest",
) {
  let bench: Bench;
  let jobs: JobProcess;

  beforeEach(async () => {
    bench = await open();
    jobs = await bench.process();
  });

  afterEach(() => bench.close());

  const now = () => bench.clock.wallMs;

  async function take(who: Caller, key?: string, store = jobs): Promise<number> {
    return acceptedId(await store.submit(submissionOf(bench, who, key, kind)));
  }

  async function claimed(store = jobs): Promise<ClaimedJob> {
    const job = await store.claim(now());
    if (job === undefined) throw new Error("expected a job to claim");
    return job;
  }

  return { bench: () => bench, jobs: () => jobs, now, take, claimed };
}
