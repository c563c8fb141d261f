import { expect, test } from "vitest";
import { Dispatcher } from "../../../../server/jobs/run/dispatcher.ts";
import type { JobRunStore } from "../../../../server/jobs/job-store.ts";
import { until } from "../../../support/until.ts";

test("a dispatcher claims one job at a time, however often it is woken, and says when it cannot", async () => {
  const claims: ((job: undefined) => void)[] = [];
  const claim = () =>
    new Promise<undefined>((resolve, reject) => {
      claims.push(claims.length === 0 ? () => reject(new Error("full")) : resolve);
    });
  const reports: string[] = [];
  const dispatcher = new Dispatcher({
    store: { claim } as Partial<JobRunStore> as JobRunStore,
    pool: {
      threads: 1,
      run: () => expect.unreachable("no job is claimed"),
      close: () => Promise.resolve(),
    },
    market: () => Promise.resolve(undefined),
    nowMs: () => 0,
    log: { error: (_: object, message: string) => void reports.push(message) },
  });
  const wakeAndEnd = async (index: number) => {
    for (let times = 0; times < 3; times++) dispatcher.wake();
    await until(() => claims.length > index);
    await new Promise((resolve) => setImmediate(resolve));
    expect(claims).toHaveLength(index + 1);
    claims[index]?.(undefined);
    await new Promise((resolve) => setImmediate(resolve));
  };
  await wakeAndEnd(0);
  expect(reports).toEqual(["cannot claim a job"]);
  await wakeAndEnd(1);
  await wakeAndEnd(2); // as it was woken meanwhile
  expect(reports).toHaveLength(1);
  await dispatcher.close();
});
