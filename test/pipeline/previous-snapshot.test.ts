import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPreviousSnapshot } from "../../pipeline/previous-snapshot.ts";
import { PRICES } from "../../snapshots/tables/prices.ts";
import { PRICES_ONLY, runSmall, useSnapshotFolders } from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();

test("damage is reported once, however often a run looks into the snapshot", async () => {
  const root = folder();
  const { dir } = await runSmall(root, { stages: PRICES_ONLY });
  truncateSync(join(dir, "prices.arrow"), 100);
  const notices: string[] = [];
  const source = { name: "memory", synthetic: false };
  const previous = await openPreviousSnapshot(root, source, (text) => notices.push(text));
  for (let look = 0; look < 2; look++)
    for await (const _ of previous.tables([PRICES])) throw new Error("it is damaged");
  expect(notices).toEqual([
    expect.stringContaining("prices.arrow has 100 bytes"),
    "no snapshot can be continued, so all history is fetched",
  ]);
});
