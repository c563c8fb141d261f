import { beforeAll, expect, test } from "vitest";
import { json, runCommand } from "../../support/command-line.ts";
import { memorySource, runSmall, smallMarket } from "../../support/snapshot-market.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const root = temporaryFolder("made-up");
beforeAll(async () => {
  await runSmall(root, { source: { ...memorySource(smallMarket(1000)), synthetic: true } });
});

test.each([
  ["choice", "--coin", "aaa", "--template", "ma_cross"],
  ["figures"],
  ["figures", "--by", "coin"],
  ["rerun", "--template", "ma_cross", "--coin", "aaa"],
])("%s %s %s marks the figures of a made-up market", async (...args) => {
  const { code, out } = await runCommand(...args, "--snapshots", root);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\n\nThe prices of this snapshot are made up \(source "\w+"\): its figures say nothing about real coins\.\n$/,
  );
  expect(await json(...args, "--snapshots", root)).toMatchObject({ synthetic: true });
});
