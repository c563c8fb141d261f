import type { AccountLoad } from "./account-load.ts";
import { UNITS_PER_RUN } from "./paid-accounts.ts";

/**
 * Compares what an account's usage shows, once no job is under way, with what the account was answered; `used` is
 * what the command line shows. A job that ended in error stays a call of no units. `line` sums them up for a person.
 */
export function usageBook(
  { account, counts, jobs, done, shown }: AccountLoad,
  used: number,
): { readonly faults: readonly string[]; readonly line: string } {
  if (shown === undefined) return { faults: ["the usage was never read"], line: "" };
  const untold = shown.backtestCalls - jobs.size;
  const untoldRuns = shown.backtestUnits / UNITS_PER_RUN - done;
  const reads = used - shown.backtestUnits;
  const line = `${account.id}: used ${used} = ${shown.backtestUnits} for ${shown.backtestCalls} jobs (${untold} untold) + ${reads} reads; answered ${counts.reads} reads, without an answer ${counts.readsLost}`;
  const rules: readonly (readonly [rule: string, holds: boolean])[] = [
    ["the command line and /usage agree", shown.used === used],
    ["calls add up to the quota", shown.units === used],
    ["no job is under way", shown.running === 0],
    ["every accepted job is a call", untold >= 0],
    ["only lost submissions are untold", untold <= counts.submissionsLost],
    ["each done job is paid once, no other", untoldRuns >= 0 && untoldRuns <= untold],
    ["units are those of whole runs", Number.isInteger(untoldRuns)],
    ["each read is paid once", reads >= counts.reads && reads <= counts.reads + counts.readsLost],
  ];
  const broken = rules.filter(([, holds]) => !holds).map(([rule]) => `not so: ${rule}: ${line}`);
  return { faults: broken, line };
}
