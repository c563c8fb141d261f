import { expect, test } from "vitest";
import { KeyCache } from "../../../../server/accounts/redis/key-cache.ts";

test("of refused keys the latest ten thousand are remembered, for half a minute", () => {
  const cache = new KeyCache();
  for (let key = 0; key <= 10_000; key++) cache.rememberRefused(`hash ${key}`, 0);
  expect(cache.isRefused("hash 0", 1)).toBe(false);
  expect(cache.isRefused("hash 1", 29_999)).toBe(true);
  expect(cache.isRefused("hash 10000", 30_000)).toBe(false);
});
