/** Checks of accounts after a load whose servers were killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { UNITS_PER_RUN, type Store } from "../support/made-accounts.ts";
import { RUNS_MAX, type AccountLoad } from "./account-load.ts";

const JOB_ENDPOINTS: readonly string[] = ["/backtests", "/studies"];
const JOBS_END_MAX_MS = 120_000;
const STEP_MS = 50;

/**
 * Settles what is open when no server is killed any more: asks what became of each submission, waits until every job
 * has ended, and looks at each. Where the market has the wild coin, one more job of each account fails.
 */
export async function settle(
  loads: readonly AccountLoad[],
  origin: string,
  hasWildCoin: boolean,
): Promise<void> {
  await Promise.all(loads.map((load) => load.settle(origin)));
  if (hasWildCoin) await Promise.all(loads.map((load) => load.fail(origin)));
  const giveUpMs = performance.now() + JOBS_END_MAX_MS;
  const seen = new Map<string, string>();
  for (const load of loads) {
    while ((await load.readUsage(origin)) > 0) {
      if (performance.now() > giveUpMs) throw new Error("jobs are still under way");
      await sleep(STEP_MS);
    }
    await load.check(origin, seen);
  }
}

/** The rules that do not hold of the accounts, and a line about each account. Call `settle` first. */
export async function auditOf(loads: readonly AccountLoad[], store: Store) {
  const faults: string[] = [];
  const lines: string[] = [];
  for (const load of loads) {
    const audit = usageAudit(load, await usedBy(load.account.id, store));
    faults.push(...load.faults, ...audit.faults);
    lines.push(audit.line);
  }
  return { faults, lines };
}

/** What an account has used of its live quota, as the command line shows it. */
async function usedBy(accountId: string, { state, plans }: Store): Promise<number> {
  const show = ["accounts", "show", accountId, "--state", state, "--plans", plans, "--json"];
  const shown = JSON.parse(await runScript(HINDSIGHT, show)) as {
    readonly usage: readonly { readonly env: string; readonly used: number }[];
  };
  return shown.usage.find(({ env }) => env === "live")?.used ?? NaN;
}

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

/**
 * A line of how often the accounts got each kind of answer. Throws if no read or no submission was answered, because
 * then nothing was tested.
 */
export function answersText(loads: readonly AccountLoad[]): string {
  const total = (name: keyof AccountLoad["counts"]) => sum(loads.map(({ counts }) => counts[name]));
  if (total("reads") === 0 || total("submitted") === 0)
    throw new Error("no read or no submission was answered, so nothing was tested");
  const lost = total("readsLost") + total("submissionsLost");
  return `${total("reads")} reads, ${total("submitted")} submissions accepted, ${total("repeated")} repeats, ${total("overCap")} over the cap, ${total("unavailable")} answered 503, ${lost} answers lost`;
}
