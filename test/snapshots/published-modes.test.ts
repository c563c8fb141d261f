import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findCurrent } from "../../snapshots/folder.ts";
import { verifySnapshot } from "../../snapshots/verified-files.ts";
import { RUN_INSTANT_MS, runPrices } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test.each([0o077, 0o000])(
  "what is published everyone may read and nobody write to, under umask %o",
  async (mask) => {
    const before = process.umask(mask);
    onTestFinished(() => void process.umask(before));
    const root = join(temporaryFolder("modes"), "above", "snapshots");
    const { dir } = await runPrices(root);
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    const files = readdirSync(dir).map((name) => join(dir, name));
    expect(new Set([...files, join(root, "CURRENT")].map(modeOf))).toEqual(new Set(["444"]));
    expect([dir, root, join(root, "..")].map(modeOf)).toEqual(["755", "755", "755"]);
    await runPrices(root, { nowMs: RUN_INSTANT_MS + 1 }); // takes the place of what is read-only
    expect(await verifySnapshot((await findCurrent(root))!)).toEqual([]);
  },
);
