/** What `GET /usage` says of an account. */
export interface ShownUsage {
  /** Of the month. */
  readonly used: number;
  readonly running: number;
  /** Of all days and endpoints of the month. */
  readonly units: number;
  /** Of backtests alone. */
  readonly backtestCalls: number;
  readonly backtestUnits: number;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
export function shownUsageOf(data: any): ShownUsage {
  const calls = data.calls as readonly { endpoint: string; calls: number; units: number }[];
  const backtests = calls.filter(({ endpoint }) => endpoint === "/backtests");
  return {
    used: data.quota.used as number,
    running: data.backtests_running as number,
    units: sumOf(calls, "units"),
    backtestCalls: sumOf(backtests, "calls"),
    backtestUnits: sumOf(backtests, "units"),
  };
}

/**
 * Compares it with the store, once no job is under way. A job that ended in error stays a call, of no units. A
 * month that ends meanwhile spoils the comparison.
 */
export function shownFaults(
  account: string,
  shown: ShownUsage,
  stored: { readonly used: number; readonly jobs: number; readonly paid: number },
): readonly string[] {
  const { used, jobs, paid } = stored;
  const pairs: readonly (readonly [what: string, said: number, is: number])[] = [
    ["used", shown.used, used],
    ["units of all endpoints", shown.units, used],
    ["backtests", shown.backtestCalls, jobs],
    ["units of backtests", shown.backtestUnits, paid],
    ["backtests under way", shown.running, 0],
  ];
  return pairs
    .filter(([, said, is]) => said !== is)
    .map(
      ([what, said, is]) => `the usage of ${account} shows ${said} ${what}, and there are ${is}`,
    );
}

function sumOf(
  calls: readonly { calls: number; units: number }[],
  what: "calls" | "units",
): number {
  return calls.reduce((sum, each) => sum + each[what], 0);
}
