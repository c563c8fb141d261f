import { dayOfDate } from "../../quant/calendar.ts";
import type { Job } from "../jobs/job.ts";
import { reportOf } from "../jobs/run/report.ts";
import { attributionOf } from "../routes/attribution.ts";
import { acceptedOf, jobText } from "../routes/backtests.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

const AT = Date.parse("2025-07-01T09:30:00Z");
const JOB_ID = 81_604_378_624;
/** The curve has a point for each day, so a short run shows as much as a long one. */
const START_DATE = "2025-06-01";

const QUEUED: Omit<Job, "snapshotId"> = {
  id: JOB_ID,
  accountId: "acc_4fQzK0pVw1nXc8Ty",
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
