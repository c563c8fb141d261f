import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPrices } from "../../snapshots/price-reader.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import { runSmall } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");

test("opens the prices alone, in memory that threads can share, and refuses them if they are damaged", async () => {
  const { dir, manifest } = await runSmall(folder());
  const read = ["manifest.json", "SHA256SUMS", "prices.arrow"];
  writable(dir);
  for (const name of readdirSync(dir)) if (!read.includes(name)) truncateSync(join(dir, name), 1);
  const prices = await openPrices(dir);
  expect(prices).toMatchObject({ id: manifest.id, manifest, coins: manifest.coins });
  expect(prices.bars("aaa")).toEqual(madeUpBars({ seed: 1, days: 260 }));
  expect(prices.bars("bbb")?.close.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(prices.bars("zzz")).toBeUndefined();
  truncateSync(join(dir, "prices.arrow"), 100);
  await expect(openPrices(dir)).rejects.toThrow(SnapshotError);
});
