import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { JobDesk } from "../../../server/jobs/job-desk.ts";
import type { JobHome, Submission, SubmitOutcome } from "../../../server/jobs/job-store.ts";

const ACCEPTED = { kind: "accepted", jobId: 1, attribution: {} } as SubmitOutcome;
const REPEATED = { kind: "repeated", jobId: 1, attribution: {} } as SubmitOutcome;
const REFUSED: SubmitOutcome = { kind: "concurrency_exceeded", running: 1 };

/** What happened, in order. */
let events: string[];
let outcome: SubmitOutcome;
let secure: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers();
  [events, outcome] = [[], ACCEPTED];
  secure = () => Promise.resolve();
});
afterEach(() => {
  vi.useRealTimers();
});

function deskOn(home: Partial<JobHome> = {}): JobDesk {
  const store: Partial<JobHome> = {
    submit: () => Promise.resolve(outcome),
    secure: () => {
      events.push("secure");
      return secure();
    },
    close: async () => {
      await Promise.resolve();
      events.push("closed");
    },
    ...home,
  };
  return new JobDesk({
    home: store as JobHome,
    wake: () => events.push("wake"),
    report: () => {},
  });
}

const submit = (desk: JobDesk) => desk.submit({} as Submission);

describe("the desk of a server", () => {
  test("tells of an accepted job only once it is secure; whoever runs jobs may know before", async () => {
    let end = () => {};
    secure = () => new Promise((resolve) => (end = resolve));
    const told = submit(deskOn()).then(() => events.push("told"));
    await vi.advanceTimersByTimeAsync(0);
    expect(events).toEqual(["wake", "secure"]);
    end();
    await told;
    expect(events).toEqual(["wake", "secure", "told"]);
  });

  test("tells nobody of a job that is not secure", async () => {
    secure = () => Promise.reject(new Error("the disk is gone"));
    await expect(submit(deskOn())).rejects.toThrow("the disk is gone");
  });

  test.each([REPEATED, REFUSED])("wakes nobody where no job was added: $kind", async (given) => {
    outcome = given;
    expect(await submit(deskOn())).toEqual(given);
    expect(events).toEqual(["secure"]);
  });

  test("looks after a store that nobody else does, until it is closed", async () => {
    const desk = deskOn({ tend: () => Promise.resolve(events.push("tended")) });
    desk.start();
    await vi.advanceTimersByTimeAsync(2_000);
    await desk.close();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(events).toEqual(["tended", "tended", "closed"]);
  });
});
