import { expect, test } from "vitest";
import { NetworkRate } from "../../../server/requests/network-rate.ts";

test("a network gets 600 requests in a minute of the clock, and another is not affected", () => {
  const rate = new NetworkRate();
  const counted = Array.from({ length: 601 }, () => rate.admit("one", 59_000));
  expect(counted.slice(0, 600).every((seconds) => seconds === 0)).toBe(true);
  expect(counted[600]).toBe(1);
  expect(rate.admit("one", 45_000)).toBe(15);
  expect(rate.admit("two", 45_000)).toBe(0);
  expect(rate.admit("one", 60_000)).toBe(0);
});

test("beyond 100,000 networks in a minute, the others are counted as one", () => {
  const rate = new NetworkRate();
  for (let network = 0; network < 100_000; network++) rate.admit(`n${network}`, 0);
  const others = Array.from({ length: 601 }, (_, at) => rate.admit(`other${at}`, 0));
  expect(others.filter((seconds) => seconds > 0)).toEqual([60]);
  expect(rate.admit("n5", 0)).toBe(0);
});
