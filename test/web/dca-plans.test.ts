import type { DcaPlan } from "../../api/dca.ts";
import { scheduleOf, scheduleQuery } from "../../web/browser/dca-link.ts";
import { dcaPlans } from "../../web/dca-plans.ts";
import { expect, test } from "vitest";
import { FIRST_DAY, marketSnapshot } from "../support/server-market.ts";
import { sharedServer } from "../support/server-fixture.ts";

const { server, key } = await sharedServer();
const outcomeOf = dcaPlans({
  coin: "btc",
  firstDay: FIRST_DAY,
  close: Array.from(marketSnapshot().bars("btc")!.close),
});

test.each([
  [100, "weekly", "2020-01-01", "2022-06-18", 0],
  [33.33, "monthly", "2020-01-31", "2022-06-18", 0],
  [250, "weekly", "2022-06-18", "2022-06-18", 0],
  [20, "daily", "2020-03-01", "2021-03-01", 1.5],
  [75, "biweekly", "2020-03-01", "2022-01-01", 0.1],
] as const)(
  "a page's schedule is that of GET /dca: %d dollars %s from %s to %s, fee %d %%",
  async (amount, frequency, startDate, endDate, feePct) => {
    const schedule = { amount, frequency, startDate, endDate, feePct };
    const query = `coin=btc&amount=${amount}&frequency=${frequency}&start_date=${startDate}&end_date=${endDate}&fee_pct=${feePct}`;
    const { data } = (await (await server.get(`/v1/dca?${query}`, key)).json()) as {
      data: DcaPlan;
    };
    const { plan, dates, paid, value, lumpSum } = outcomeOf(schedule)!;
    expect(data).toMatchObject(plan);
    expect(dates.at(-1)).toBe(plan.end_date);
    expect(paid.at(-1)).toBeCloseTo(plan.invested_usd!, 6);
    expect(value.at(-1)! / plan.value_usd!).toBeCloseTo(1, 9);
    expect(lumpSum.at(-1)! / plan.lump_sum.value_usd!).toBeCloseTo(1, 9);
    expect(plan.lump_sum.value_usd).not.toBeNull();
  },
);

test("there is no outcome for a day without a close, or for no amount", () => {
  const days = { startDate: "2019-12-31", endDate: "2022-06-18", feePct: 0 };
  const schedule = { amount: 100, frequency: "weekly", ...days } as const;
  expect(outcomeOf(schedule)).toBeUndefined();
  expect(outcomeOf({ ...schedule, startDate: "" })).toBeUndefined();
  for (const amount of [0, -1, Number.NaN, Infinity])
    expect(outcomeOf({ ...schedule, startDate: "2020-01-01", amount })).toBeUndefined();
  const start = { ...schedule, startDate: "2020-01-01" };
  expect(outcomeOf({ ...start, endDate: "2019-12-31" })).toBeUndefined();
  expect(outcomeOf({ ...start, feePct: 11 })).toBeUndefined();
});

test("a link keeps the schedule", () => {
  const weekly = { frequency: "weekly", startDate: "a", endDate: "b" } as const;
  const first = { ...weekly, amount: 100, feePct: 0 };
  const daily = { frequency: "daily", startDate: "2020-02-01", endDate: "2021-02-01" } as const;
  const other = { ...daily, amount: 7, feePct: 0.4 };
  expect(scheduleOf(scheduleQuery(other), first)).toEqual(other);
  expect(scheduleOf("", first)).toBeUndefined();
  expect(scheduleOf("?period=3M", first), "of another part of the page").toBeUndefined();
  expect(scheduleOf("?every=hourly&fee=1", first)).toEqual({ ...first, feePct: 1 });
});
