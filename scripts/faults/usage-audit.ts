import { sum } from "simple-statistics";
import { UNITS_PER_RUN } from "../support/made-accounts.ts";
import { RUNS_MAX, type AccountLoad } from "./account-load.ts";

const JOB_ENDPOINTS: readonly string[] = ["/backtests", "/studies"];

/**
 * Compares what an account's usage shows, once no job is under way, with what the account was answered; `used` is
 * what the command line shows. A job that ended in error stays a call of no units. `line` sums them up for a person.
 */
export function usageAudit(
  { account, counts, jobs, doneRuns, usage }: AccountLoad,
  used: number,
): { readonly faults: readonly string[]; readonly line: string } {
  const calls = (usage?.calls ?? []) as readonly {
    endpoint: string;
    calls: number;
    units: number;
  }[];
  const submissions = calls.filter(({ endpoint }) => JOB_ENDPOINTS.includes(endpoint));
  const jobCalls = sum(submissions.map((each) => each.calls));
  const jobUnits = sum(submissions.map((each) => each.units));
  const untold = jobCalls - jobs.size;
  const untoldRuns = jobUnits / UNITS_PER_RUN - doneRuns;
  const reads = used - jobUnits;
  const line = `${account.id}: used ${used} = ${jobUnits} for ${jobCalls} jobs (${untold} untold) + ${reads} reads; answered ${counts.reads} reads, without an answer ${counts.readsLost}`;
  const rules: readonly (readonly [rule: string, holds: boolean])[] = [
    ["the command line and /usage agree", usage?.quota.used === used],
    ["calls add up to the quota", sum(calls.map(({ units }) => units)) === used],
    ["no job is under way", usage?.backtests_running === 0],
    ["every accepted job is a call", untold >= 0],
    ["only lost submissions are untold", untold <= counts.submissionsLost],
    ["each done job is paid once, no other", untoldRuns >= 0 && untoldRuns <= RUNS_MAX * untold],
    ["units are those of whole runs", Number.isInteger(untoldRuns)],
    ["each read is paid once", reads >= counts.reads && reads <= counts.reads + counts.readsLost],
  ];
  const broken = rules.filter(([, holds]) => !holds).map(([rule]) => `not so: ${rule}: ${line}`);
  return { faults: broken, line };
}
