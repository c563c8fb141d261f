import { describe, expect, test } from "vitest";
import { jobMarkets } from "../../../server/jobs/job-markets.ts";
import type { SnapshotData } from "../../../server/routes/snapshot-data.ts";
import { marketSnapshot } from "../../support/server-market.ts";

const market = marketSnapshot();
const bars = market.bars("btc");
const named = (id: string): SnapshotData => ({ ...market, id });

describe("the columns jobs run on", () => {
  test("are those of the current snapshot, which is not read again", async () => {
    const find = jobMarkets(
      () => named("new"),
      () => Promise.reject(new Error("it was opened")),
    );
    expect(await find("new", "btc")).toBe(bars);
    await expect(find("new", "nope")).rejects.toThrow('no coin "nope"');
  });

  test("are of the snapshot a job was accepted under, after a switch, also of several at once", async () => {
    const ids = ["a", "b", "c", "a"];
    const opened: string[] = [];
    const find = jobMarkets(
      () => named("new"),
      (id) => {
        opened.push(id);
        return Promise.resolve(named(id));
      },
    );
    const found = await Promise.all(ids.map((id) => find(id, "btc")));
    expect(found).toEqual(ids.map(() => bars));
    expect(opened.slice(0, 3)).toEqual(["a", "b", "c"]);
    await find("a", "eth");
    const { length } = opened;
    expect(await find("a", "btc")).toBe(bars);
    expect(opened, "the last ones are kept").toHaveLength(length);
  });

  test("are gone with a snapshot that was pruned, and looked for again for the next job", async () => {
    let kept = false;
    const find = jobMarkets(
      () => undefined,
      (id) => (kept ? Promise.resolve(named(id)) : Promise.reject(new Error("gone"))),
    );
    await expect(find("old", "btc")).rejects.toThrow("gone");
    kept = true;
    expect(await find("old", "btc")).toBe(bars);
  });
});
