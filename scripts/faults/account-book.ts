import type { AccountLoad } from "./account-load.ts";
import { UNITS_PER_RUN } from "./paid-accounts.ts";
import { shownFaults } from "./shown-usage.ts";

/** A job of an account, as the store holds it. */
export interface BookedJob {
  readonly id: number;
  readonly status: string;
  /** Whether it was submitted with an idempotency key. */
  readonly keyed: boolean;
}

/**
 * Compares what a store holds of an account, once no job is under way, with what the account was answered: its
 * jobs, and the units it has `used`. `line` sums them up for a person.
 */
export function accountBook(
  { account, counts, jobs, shown }: AccountLoad,
  own: readonly BookedJob[],
  used: number,
): { readonly faults: readonly string[]; readonly line: string } {
  const faults: string[] = [];
  const ids = new Set(own.map(({ id }) => id));
  for (const id of jobs) if (!ids.has(id)) faults.push(`accepted job ${id} is lost`);
  const unheardOf = own.filter(({ id }) => !jobs.has(id));
  const untold = unheardOf.length;
  for (const { id, keyed } of unheardOf) {
    if (keyed) faults.push(`the key of job ${id} has made another job`);
  }
  if (untold > counts.submissionsLost) {
    faults.push(
      `${untold} jobs of ${account.id} were never answered for, and ${counts.submissionsLost} submissions had no answer`,
    );
  }
  const paid = own.filter(({ status }) => status !== "error").length * UNITS_PER_RUN;
  if (shown !== undefined) {
    faults.push(...shownFaults(account.id, shown, { used, paid, jobs: own.length }));
  }
  const reads = used - paid;
  const most = counts.reads + counts.readsLost;
  const line = `${account.id}: used ${used} = ${paid} for ${own.length} jobs (${untold} untold) + ${reads} reads; answered ${counts.reads} reads, without an answer ${counts.readsLost}`;
  if (reads < counts.reads || reads > most) faults.push(line);
  return { faults, line };
}
