import type { DcaPlan } from "../../api/dca.ts";
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
  { amount: 100, frequency: "weekly", startDate: "2020-01-01" },
  { amount: 33.33, frequency: "monthly", startDate: "2020-01-31" },
  { amount: 250, frequency: "weekly", startDate: "2022-06-18" },
] as const)(
  "a page's schedule is that of GET /dca: $frequency from $startDate",
  async (schedule) => {
    const { amount, frequency, startDate } = schedule;
    const query = `coin=btc&amount=${amount}&frequency=${frequency}&start_date=${startDate}`;
    const { data } = (await (await server.get(`/v1/dca?${query}`, key)).json()) as {
      data: DcaPlan;
    };
    const outcome = outcomeOf(schedule)!;
    expect(data).toMatchObject(outcome);
    expect(outcome.lump_sum.value_usd).not.toBeNull();
  },
);

test("there is no outcome for a day without a close, or for no amount", () => {
  const schedule = { amount: 100, frequency: "weekly", startDate: "2019-12-31" } as const;
  expect(outcomeOf(schedule)).toBeUndefined();
  expect(outcomeOf({ ...schedule, startDate: "" })).toBeUndefined();
  for (const amount of [0, -1, Number.NaN, Infinity])
    expect(outcomeOf({ ...schedule, startDate: "2020-01-01", amount })).toBeUndefined();
});
