import { sum } from "simple-statistics";
import { UNITS_PER_RUN } from "../support/made-accounts.ts";
import type { AccountLoad } from "./account-load.ts";

/**
 * Compares what an account's usage shows, once no job is under way, with what the account was answered; `used` is
 * what the command line shows. A job that ended in error stays a call of no units. `line` sums them up for a person.
 */
export function usageAudit(
  { account, counts, jobs, done, usage }: AccountLoad,
  used: number,
): { readonly faults: readonly string[]; readonly line: string } {
  const calls = (usage?.calls ?? []) as readonly {
    endpoint: string;
    calls: number;
    units: number;
  }[];
  const backtests = calls.filter(({ endpoint }) => endpoint === "/backtests");
  const backtestCalls = sum(backtests.map((each) => each.calls));
  const backtestUnits = sum(backtests.map((each) => each.units));
  const untold = backtestCalls - jobs.size;
  const untoldRuns = backtestUnits / UNITS_PER_RUN - done;
  const reads = used - backtestUnits;
  const line = `${account.id}: used ${used} = ${backtestUnits} for ${backtestCalls} jobs (${untold} untold) + ${reads} reads; answered ${counts.reads} reads, without an answer ${counts.readsLost}`;
  const rules: readonly (readonly [rule: string, holds: boolean])[] = [
    ["the command line and /usage agree", usage?.quota.used === used],
    ["calls add up to the quota", sum(calls.map(({ units }) => units)) === used],
    ["no job is under way", usage?.backtests_running === 0],
    ["every accepted job is a call", untold >= 0],
    ["only lost submissions are untold", untold <= counts.submissionsLost],
    ["each done job is paid once, no other", untoldRuns >= 0 && untoldRuns <= untold],
    ["units are those of whole runs", Number.isInteger(untoldRuns)],
    ["each read is paid once", reads >= counts.reads && reads <= counts.reads + counts.readsLost],
  ];
  const broken = rules.filter(([, holds]) => !holds).map(([rule]) => `not so: ${rule}: ${line}`);
  return { faults: broken, line };
}
