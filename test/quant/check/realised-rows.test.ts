import { expect, test } from "vitest";
import { markedRows } from "../../../quant/check/marked-rows.ts";
import { realisedRows } from "../../../quant/check/realised-rows.ts";

const DAY = 86_400;
const trades = [10, 20, 30].map((profit, place) => ({
  variant: "trades",
  entry: place * DAY,
  exit: place * DAY + 3600,
  profit,
}));

test("what was paid in or out counts from its day on", () => {
  const flows = [
    { at: DAY + 7200, amount: 890 },
    { at: 2 * DAY, amount: -420 },
    { at: 9 * DAY, amount: 5 },
  ];
  const { columns } = realisedRows({ trades, capital: 100, flows });
  expect([...columns[0]!]).toEqual([10 / 100, 20 / 1000, 30 / 600]);
});

test("a list with payments is not marked to market, whose equity they would move", () => {
  const list = { trades, capital: 100, flows: [{ at: DAY, amount: 5 }] };
  expect(markedRows(list, () => undefined).reason).toContain("paid in");
});
