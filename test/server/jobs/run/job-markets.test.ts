import { describe, expect, test } from "vitest";
import { JobMarkets } from "../../../../server/jobs/run/job-markets.ts";
import type { SnapshotData } from "../../../../server/routes/snapshot-data.ts";
import { marketSnapshot } from "../../../support/server-market.ts";

function named(id: string): SnapshotData {
  return { ...marketSnapshot(), id };
}

describe("the columns jobs run on", () => {
  test("are those of the current snapshot, which is not read again", async () => {
    const markets = new JobMarkets({
      current: () => named("new"),
      open: () => Promise.reject(new Error("it was opened")),
    });
    expect(await markets.find("new", "btc")).toMatchObject({ snapshotId: "new" });
    expect(await markets.find("new", "nope")).toBeUndefined();
  });

  test("are of the snapshot a job was accepted under, after a switch, read once", async () => {
    const opened: string[] = [];
    const markets = new JobMarkets({
      current: () => named("new"),
      open(id) {
        opened.push(id);
        return Promise.resolve(named(id));
      },
    });
    const found = await Promise.all([markets.find("old", "btc"), markets.find("old", "eth")]);
    expect(found.map((market) => market?.snapshotId)).toEqual(["old", "old"]);
    expect(opened).toEqual(["old"]);
  });

  test("are gone with a snapshot that was pruned, and looked for again for the next job", async () => {
    let kept = false;
    const markets = new JobMarkets({
      current: () => undefined,
      open: (id) => (kept ? Promise.resolve(named(id)) : Promise.reject(new Error("gone"))),
    });
    expect(await markets.find("old", "btc")).toBeUndefined();
    kept = true;
    expect(await markets.find("old", "btc")).toMatchObject({ snapshotId: "old" });
  });
});
