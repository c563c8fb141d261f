import { describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import { MeterBusy } from "../../../../server/accounts/sqlite/held-meter.ts";
import { PatientQueue } from "../../../../server/accounts/sqlite/patient-queue.ts";

/** A lock that is held until a test releases it, and work that needs it. */
class Lock {
  taken = true;
  readonly done: number[] = [];
  readonly work = (number: number) => () => {
    if (this.taken) throw new MeterBusy();
    this.done.push(number);
    return number;
  };
}

function queueOf(steady: { ms: number }, lockWaitMs = 100): PatientQueue {
  return new PatientQueue({ monotonicMs: () => steady.ms, lockWaitMs });
}

const later = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("work that waits for a lock", () => {
  test("is done at once if the lock is free, and its own failure is thrown unchanged", () => {
    const lock = new Lock();
    lock.taken = false;
    const queue = queueOf({ ms: 0 });
    expect(queue.run(lock.work(7))).toBe(7);
    const defect = () => {
      throw new RangeError("a defect");
    };
    expect(() => queue.run(defect)).toThrow(RangeError);
  });

  test("is done in the order it came once the lock is free; one that fails fails alone", async () => {
    const lock = new Lock();
    const queue = queueOf({ ms: 0 });
    const first = queue.run(lock.work(1));
    const second = Promise.resolve(
      queue.run(() => {
        lock.work(2)();
        throw new Error("a plan that is not there");
      }),
    ).catch((error: Error) => error.message);
    const third = queue.run(lock.work(3));
    await later();
    expect(lock.done).toEqual([]);
    lock.taken = false;
    expect([await first, await second, await third]).toEqual([1, "a plan that is not there", 3]);
    expect(lock.done).toEqual([1, 2, 3]);
    await queue.settled();
  });

  test("fails if nobody gets the lock for too long, and goes on if somebody does", async () => {
    const lock = new Lock();
    const steady = { ms: 0 };
    const queue = queueOf(steady);
    const waiting = [1, 2].map(async (number) => await queue.run(lock.work(number)));
    const settled = Promise.allSettled(waiting);
    await later();
    steady.ms = 100;
    for (const { status } of await settled) expect(status).toBe("rejected");
    await expect(waiting[0]).rejects.toThrow(AccountsUnavailable);
    lock.taken = false;
    expect(await queue.run(lock.work(3))).toBe(3);
  });

  test("is refused at once if thousands wait already", async () => {
    const lock = new Lock();
    const queue = queueOf({ ms: 0 });
    for (let number = 0; number < 4_096; number++) void queue.run(lock.work(number));
    await expect(queue.run(lock.work(-1))).rejects.toThrow("too many requests wait");
    lock.taken = false;
    await queue.settled();
    expect(lock.done).toHaveLength(4_096);
  });
});
