import { expect, test } from "vitest";
import type { PriceSource } from "../../pipeline/sources/source.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { openCsv } from "../../pipeline/sources/csv.ts";
import { folderOf, pricesText } from "../support/prices-file.ts";
import {
  LAST_DAY,
  MARKET,
  memorySource,
  runPrices,
  runSmall,
  TWO_COINS,
  watcher,
} from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

test("a run leaves out and names a coin without prices, and keeps the rest", async () => {
  const root = folder();
  const onlyOne = { aaa: MARKET["aaa"]! };
  const source = memorySource(onlyOne, {
    conclude: () => ({ served: 1, missing: ["bbb"], failed: [], otherFiles: 3 }),
  });
  const progress = watcher();
  const { manifest, dir } = await runSmall(root, { source, progress });
  expect(manifest.coins.map(({ ticker }) => ticker)).toEqual(["aaa"]);
  expect(progress.reports[1]?.facts).toMatchObject({ coins: 1, other_files: 3 });
  expect(manifest.leftOut).toEqual([
    { ticker: "bbb", name: "Beta", reason: "the source does not have it" },
  ]);
  expect(progress.notices).toContain("the source does not have bbb");
  expect((await openSnapshot(dir)).bars("bbb")).toBeUndefined();
});

test("a run says of each coin that it leaves out why: its fault, or that it is too young", async () => {
  const young = { ...MARKET, bbb: MARKET["bbb"]!.filter(({ day }) => day > LAST_DAY - 5) };
  const reasons = async (source: PriceSource) => {
    const given = { source, asOf: dateOfDay(LAST_DAY - 5) };
    const { manifest } = await runPrices(folder(), given);
    expect(manifest.parameters["as_of_requested"]).toBe(given.asOf);
    return manifest.leftOut.map(({ ticker, reason }) => [ticker, reason]);
  };
  expect(await reasons(memorySource(young))).toEqual([["bbb", "no believable price up to as_of"]]);
  const failed = [{ ticker: "bbb", message: "it hung up" }];
  const summary = { served: 1, missing: [], failed, otherFiles: 0 };
  const failing = memorySource({ aaa: MARKET["aaa"]! }, { conclude: () => summary });
  expect(await reasons(failing)).toEqual([["bbb", "it hung up"]]);
});

test("a run names last the coin whose file loses too many rows, and keeps what is published of it", async () => {
  const root = folder();
  const [header = "", ...rows] = pricesText({ firstDay: 18_000, days: 300 }).split("\n");
  const broken = rows.map((row, index) => (index % 5 === 0 ? row.replace(",", ",-") : row));
  const run = async (bbb: readonly string[]) => {
    const files = {
      "aaa.csv": [header, ...rows].join("\n"),
      "bbb.csv": [header, ...bbb].join("\n"),
    };
    const progress = watcher();
    const source = openCsv(folderOf(files), TWO_COINS);
    const { manifest } = await runPrices(root, { source, progress });
    return { manifest, last: progress.notices.at(-1) };
  };
  const first = await run(broken);
  const why = /^bbb\.csv: 60 of 300 rows are refused: line 2: price_not_positive in /;
  expect(first.manifest.coins.map(({ ticker }) => ticker)).toEqual(["aaa"]);
  expect(first.manifest.leftOut).toMatchObject([
    { ticker: "bbb", reason: expect.stringMatching(why) as string },
  ]);
  expect(first.last).toBe(`bbb: ${first.manifest.leftOut[0]?.reason}`);
  const mended = await run(rows);
  expect(mended.manifest.leftOut).toEqual([]);
  const again = await run(broken);
  expect(again.manifest.coins[1]).toMatchObject({
    days: 300,
    quality: { fault: "too_many_refused" },
  });
  expect(again.last).toMatch(/^bbb: bbb\.csv: 60 of 300 rows are refused/);
});
