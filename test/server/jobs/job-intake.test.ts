import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { JobIntake } from "../../../server/jobs/job-intake.ts";
import type { JobIntakeStore, Submission, SubmitOutcome } from "../../../server/jobs/job-store.ts";

const ACCEPTED = { kind: "accepted", jobId: 1, attribution: {} } as SubmitOutcome;
const REPEATED = { kind: "repeated", jobId: 1, attribution: {} } as SubmitOutcome;
const REFUSED: SubmitOutcome = { kind: "concurrency_exceeded", running: 1 };

/** What happened, in order. */
let events: string[];

beforeEach(() => {
  vi.useFakeTimers();
  events = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function intakeOn(store: Partial<JobIntakeStore>): JobIntake {
  const close = () => void events.push("closed");
  return new JobIntake({
    store: { close, ...store } as JobIntakeStore,
    wake: () => events.push("wake"),
    log: { error: () => {} },
  });
}

describe("the intake of jobs", () => {
  test.each([
    [ACCEPTED, ["wake"]],
    [REPEATED, []],
    [REFUSED, []],
  ])("wakes the backtest process if a job was added: %j", async (outcome, expected) => {
    const intake = intakeOn({ submit: () => Promise.resolve(outcome) });
    expect(await intake.submit({} as Submission)).toEqual(outcome);
    expect(events).toEqual(expected);
  });

  test("looks after a store that has no other process to do so, until it is closed", async () => {
    const intake = intakeOn({ tend: () => Promise.resolve(events.push("tended")) });
    intake.start();
    await vi.advanceTimersByTimeAsync(2_000);
    await intake.close();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(events).toEqual(["tended", "tended", "closed"]);
  });
});
