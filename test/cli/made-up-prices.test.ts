import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { dateOfDay } from "../../quant/calendar.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { readHistory } from "../../snapshots/history.ts";
import { json, runCommand } from "../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("made-up");
beforeAll(async () => {
  await runSmall(root, { source: { ...memorySource(smallMarket(1000)), synthetic: true } });
});

test.each([
  ["choice", "--coin", "aaa", "--template", "ma_cross"],
  ["rerun", "--template", "ma_cross", "--coin", "aaa"],
])("%s %s %s marks the figures of a made-up market", async (...args) => {
  const { code, out } = await runCommand(...args, "--snapshots", root);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\n\nThe prices of this snapshot are made up \(source "\w+"\): its figures say nothing about real coins\.\n$/,
  );
  expect(await json(...args, "--snapshots", root)).toMatchObject({ synthetic: true });
});

test("check marks what it says of a coin of a made-up market", async () => {
  const { coins } = await readHistory(await currentSnapshot(root));
  const { day, close } = coins.get("aaa")!.bars;
  const rows = Array.from(day, (date, row) => `${dateOfDay(date)},${close[row]}`);
  const file = join(root, "equity.csv");
  writeFileSync(file, ["date,equity", ...rows].join("\n"));
  const args = ["check", file, "--coin", "aaa", "--n-trials", "1", "--snapshots", root];
  expect((await runCommand(...args)).out).toContain("\nThe prices of this snapshot are made up");
  const { out } = await runCommand(...args, "--json");
  expect(JSON.parse(out)).toMatchObject({ synthetic: true });
});
