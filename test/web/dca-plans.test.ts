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
  { amount: 100, frequency: "weekly", startDate: "2020-01-01", endDate: "2022-06-18", feePct: 0 },
  {
    amount: 33.33,
    frequency: "monthly",
    startDate: "2020-01-31",
    endDate: "2022-06-18",
    feePct: 0,
  },
  { amount: 250, frequency: "weekly", startDate: "2022-06-18", endDate: "2022-06-18", feePct: 0 },
  { amount: 20, frequency: "daily", startDate: "2020-03-01", endDate: "2021-03-01", feePct: 1.5 },
  {
    amount: 75,
    frequency: "biweekly",
    startDate: "2020-03-01",
    endDate: "2022-01-01",
    feePct: 0.1,
  },
] as const)(
  "a page's schedule is that of GET /dca: $frequency from $startDate",
  async (schedule) => {
    const { amount, frequency, startDate, endDate, feePct } = schedule;
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
  const first = {
    amount: 100,
    frequency: "weekly",
    startDate: "a",
    endDate: "b",
    feePct: 0,
  } as const;
  const other = {
    amount: 7,
    frequency: "daily",
    startDate: "2020-02-01",
    endDate: "2021-02-01",
    feePct: 0.4,
  } as const;
  expect(scheduleOf(scheduleQuery(other), first)).toEqual(other);
  expect(scheduleOf("", first)).toBeUndefined();
  expect(scheduleOf("?period=3M", first), "of another part of the page").toBeUndefined();
  expect(scheduleOf("?every=hourly&fee=1", first)).toEqual({ ...first, feePct: 1 });
});
