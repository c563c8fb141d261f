import { expect, test } from "vitest";
import { steadyClock } from "../../../server/accounts/steady-clock.ts";

const machineMs = () => Number(process.hrtime.bigint()) / 1e6;

test("the steady clock is the machine's, wherever it begins", () => {
  const clocks = [steadyClock(), steadyClock()];
  for (const steadyMs of clocks) {
    const [before, now, after] = [machineMs(), steadyMs(), machineMs()];
    // The two readings it was set from may be slightly apart; processes agree to well within a millisecond.
    expect(now).toBeGreaterThan(before - 0.5);
    expect(now).toBeLessThan(after + 0.5);
  }
});
