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

function sumOf(
  calls: readonly { calls: number; units: number }[],
  what: "calls" | "units",
): number {
  return calls.reduce((sum, each) => sum + each[what], 0);
}
