/** Made-up answers of the endpoints that answer from more than a snapshot. */
import { reportJson } from "../../check/report-json.ts";
import { dayOfDate } from "../../quant/calendar.ts";
import { buildPanel } from "../../quant/check/build-panel.ts";
import { checkPanel } from "../../quant/check/check-panel.ts";
import type { Observations } from "../../quant/check/panel.ts";
import { BUILT_IN_PLANS } from "../accounts/plans.ts";
import type { Job } from "../jobs/job.ts";
import { reportOf } from "../jobs/run/report.ts";
import { attributionOf } from "../routes/attribution.ts";
import { acceptedOf, jobText } from "../routes/backtests.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { usageOf } from "../routes/usage.ts";

const ACCOUNT_ID = "acc_4fQzK0pVw1nXc8Ty";

const AT = Date.parse("2025-07-01T09:30:00Z");
const JOB_ID = 81_604_378_624;
/** The curve has a point for each day, so a short run shows as much as a long one. */
const START_DATE = "2025-06-01";

const QUEUED: Omit<Job, "snapshotId"> = {
  id: JOB_ID,
  accountId: ACCOUNT_ID,
  status: "queued",
  request: {
    strategy: "supertrend",
    coin: "btc",
    startDay: dayOfDate(START_DATE)!, // a date
    startingCashUsd: 10_000,
    variant: 1,
  },
  createdMs: AT,
  startedMs: null,
  finishedMs: null,
  error: null,
};

/** The answer to a submission. */
export function exampleAccepted(snapshot: SnapshotData): object {
  const accepted = { jobId: JOB_ID, attribution: attributionOf(snapshot) };
  return acceptedOf(accepted, `${snapshot.publicUrl}/v1/backtests`);
}

/** A waiting job, the same job when it is done, and one that failed. */
export function exampleJobs(snapshot: SnapshotData): Readonly<Record<string, object>> {
  const { request } = QUEUED;
  const bars = snapshot.bars(request.coin);
  if (bars === undefined) throw new Error(`the example market has no ${request.coin}`);
  const result = JSON.stringify(reportOf({ bars, request, snapshotId: snapshot.id }));
  const over = { startedMs: AT + 4, finishedMs: AT + 11 };
  const message = `snapshot "${snapshot.id}" is no longer kept; send the request again`;
  const shown = (change: Partial<Job>, written = "null") => {
    const job = { ...QUEUED, snapshotId: snapshot.id, ...change };
    const { before, after } = jobText({ job, attribution: attributionOf(snapshot) });
    return JSON.parse(before + written + after) as object;
  };
  return {
    "a job that waits": shown({}),
    "a job that is done": shown({ ...over, status: "done" }, result),
    "a job that failed": shown({
      ...over,
      status: "error",
      error: { code: "snapshot_gone", message },
    }),
  };
}

const DAYS = 400;
const FIRST_SECOND = Date.parse("2024-01-01T00:00:00Z") / 1000;

/** The check of a made-up record: two waves of daily returns. */
export function exampleCheck(snapshot: SnapshotData): object {
  const days = Array.from({ length: DAYS }, (_, day) => day);
  const rows: Observations = {
    kind: "returns",
    instants: Float64Array.from(days, (day) => FIRST_SECOND + day * 86_400),
    lines: Int32Array.from(days, (day) => day + 2),
    names: ["curve"],
    columns: [
      Float64Array.from(days, (day) => 0.002 + 0.02 * Math.sin(day * 2.3) * Math.cos(day / 7)),
    ],
  };
  const source = { format: "returns", tool: "generic", kind: "returns" } as const;
  const report = checkPanel(buildPanel(rows), { source, nTrials: 20 });
  return {
    attribution: attributionOf(snapshot),
    ...(JSON.parse(reportJson(report, false)) as object),
  };
}

const MONTH = { period: "2026-02", endsMs: Date.parse("2026-03-01T00:00:00Z") };
const PLAN = BUILT_IN_PLANS.get("developer")!; // it is on the price list

/** The usage of a made-up account. */
export function exampleUsage(snapshot: SnapshotData): object {
  const key = { accountId: ACCOUNT_ID, expiresMs: null, revokedMs: null };
  return usageOf(snapshot, {
    caller: { accountId: key.accountId, keyId: "key_9dLx2MvR7aQe", env: "live", plan: PLAN },
    rateWindow: { limit: 60, remaining: 59, resetSeconds: 60, windowSeconds: 60 },
    quotaState: {
      used: 42,
      quota: { limit: 10_000, remaining: 9_958, resetSeconds: 1_209_600, windowSeconds: 2_419_200 },
    },
    running: 1,
    report: {
      allowances: [
        { env: "live", used: 42, limit: 10_000, ...MONTH },
        { env: "test", used: 3, limit: 100, ...MONTH },
      ],
      keys: [
        {
          ...key,
          id: "key_9dLx2MvR7aQe",
          env: "live",
          prefix: "hs_live_7Hq2",
          lastFour: "x0Zd",
          createdMs: Date.parse("2026-01-05T09:30:00Z"),
          lastUsedMs: Date.parse("2026-02-15T00:00:00Z"),
        },
      ],
      endpoints: [
        { day: "2026-02-14", env: "live", endpoint: "/backtests", calls: 1, units: 10 },
        { day: "2026-02-14", env: "live", endpoint: "/dca", calls: 32, units: 32 },
        { day: "2026-02-14", env: "test", endpoint: "/signals", calls: 3, units: 3 },
      ],
    },
  });
}
