import { expect, test } from "vitest";
import { sharedServer } from "../../support/server-fixture.ts";

const { server } = await sharedServer({ withholdsPrices: true });

const textAt = async (path: string) => await (await server.get(path, undefined)).text();

test("where prices are withheld, no page has them, and what needs them is not shown", async () => {
  expect((await server.get("/coins/btc/bars.json", undefined)).status).toBe(404);
  const coin = await textAt("/coins/btc");
  expect(coin).toContain("not shown here");
  expect(coin).not.toContain("SuperTrend teal below the price");
  expect(coin, "nor a last or a first close").not.toMatch(/closed at|>at<\/th>/);
  expect((await textAt("/coins")).match(/class="spark|\$\d/g)).toBeNull();
});

test("the check page then names no coins, and says why", async () => {
  const page = await textAt("/check");
  expect(page).not.toContain("Coin you traded");
  expect(page).toContain("Daily prices are not shown here");
});
