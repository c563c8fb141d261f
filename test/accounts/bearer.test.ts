import { expect, test } from "vitest";
import { bearerOf } from "../../accounts/keys.ts";

test.each([
  ["Bearer hs_live_abc", "hs_live_abc"],
  ["bearer hs_live_abc", "hs_live_abc"],
  ["BEARER   hs_live_abc", "hs_live_abc"],
  ["", ""],
  ["Bearer", ""],
  ["Bearer ", ""],
  ["Basic hs_live_abc", ""],
  ["hs_live_abc", ""],
  ["Bearer a b", "a b"],
  ["bearer a, Bearer b", "a, Bearer b"],
  ["Bearerhs_live_abc", ""],
])("%j holds %j", (header, expected) => {
  expect(bearerOf(header)).toBe(expected);
});
