import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, test } from "vitest";
import { dcaColumns } from "../../quant/outcomes/dca.ts";
import { buyHoldYears } from "../../quant/outcomes/buy-hold.ts";
import { computeIndicators } from "../../quant/indicators/columns.ts";
import { readHistory } from "../../snapshots/history.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import {
  CHECKSUMS_FILE,
  MANIFEST_FILE,
  decodeManifest,
  encodeChecksums,
} from "../../snapshots/manifest.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { verifySnapshot } from "../../snapshots/verified-files.ts";
import { madeUpBars } from "../support/made-up-bars.ts";
import { runSmall } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { writable } from "../support/writable.ts";

const folder = () => temporaryFolder("snapshots");
const PUBLISHED_ROOT = temporaryFolder("published");
let published = "";

beforeAll(async () => {
  published = (await runSmall(PUBLISHED_ROOT)).dir;
});

/** A copy of the published snapshot under its own name, for a test to damage. */
function copy(): string {
  const dir = join(folder(), basename(published));
  cpSync(published, dir, { recursive: true });
  return writable(dir);
}

describe("openSnapshot", () => {
  test("gives what was computed, column for column", async () => {
    const snapshot = await openSnapshot(published);
    const bars = madeUpBars({ seed: 1, days: 260 });
    expect(snapshot.coins.map(({ ticker }) => ticker)).toEqual(["aaa", "bbb"]);
    expect(snapshot.coins[0]).toMatchObject({ name: "Alpha", firstDay: bars.day[0], stale: false });
    expect(snapshot.bars("aaa")).toEqual(bars);
    const { realizedVolatility30d, drawdownFromHigh, ...others } = computeIndicators(bars);
    const indicators = snapshot.indicators("aaa")!;
    expect(indicators).toMatchObject(others);
    // In percent in the table, so the last bit may differ.
    const rounded = (values: Float64Array) => Array.from(values, (value) => value.toPrecision(13));
    expect(rounded(indicators.realizedVolatility30d)).toEqual(rounded(realizedVolatility30d));
    expect(rounded(indicators.drawdownFromHigh)).toEqual(rounded(drawdownFromHigh));
    expect(snapshot.buyHold("aaa")).toEqual(buyHoldYears(bars));
    for (const frequency of ["weekly", "monthly"] as const) {
      expect(snapshot.dca("aaa", frequency)).toEqual(dcaColumns(bars, frequency));
    }
    expect(snapshot.bars("bbb")?.day).toHaveLength(200);
  });

  test("knows no coin that is not on the board", async () => {
    const snapshot = await openSnapshot(published);
    expect(snapshot.bars("zzz")).toBeUndefined();
    expect(snapshot.indicators("zzz")).toBeUndefined();
    expect(snapshot.dca("zzz", "weekly")).toBeUndefined();
    expect(snapshot.buyHold("zzz")).toBeUndefined();
  });

  test("holds files in memory that threads can share, one piece each", async () => {
    const snapshot = await openSnapshot(published);
    const views = [
      ...Object.values(snapshot.bars("aaa")!),
      ...Object.values(snapshot.bars("bbb")!),
    ] as Float64Array[];
    expect(new Set(views.map(({ buffer }) => buffer)).size).toBe(1);
    expect(views[0]!.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(snapshot.indicators("aaa")!.rsi14.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(snapshot.dca("aaa", "weekly")!.irr.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test("can be used after the folder is gone", async () => {
    const dir = copy();
    const snapshot = await openSnapshot(dir);
    rmSync(dir, { recursive: true });
    expect(snapshot.bars("aaa")?.close).toHaveLength(260);
  });

  test("opens under a path with a trailing slash", async () => {
    expect((await openSnapshot(`${published}/`)).id).toBe(basename(published));
  });

  describe.each(["manifest.json", "SHA256SUMS", "prices.arrow", "dca.arrow"])("with %s", (name) => {
    test.each([
      ["missing", "is missing", () => {}],
      ["that the system does not read", "cannot be read (EISDIR)", mkdirSync],
    ])("%s is refused", async (_, why, put) => {
      const dir = copy();
      rmSync(join(dir, name));
      put(join(dir, name));
      await expect(openSnapshot(dir)).rejects.toThrow(SnapshotError);
      await expect(openSnapshot(dir)).rejects.toThrow(`${name} ${why}`);
      expect(await verifySnapshot(dir)).toEqual([expect.stringContaining(`${name} ${why}`)]);
    });

    test("changed in one bit is refused", async () => {
      const dir = copy();
      const bytes = readFileSync(join(dir, name));
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(join(dir, name), bytes);
      await expect(openSnapshot(dir)).rejects.toThrow(SnapshotError);
      await expect(openSnapshot(dir)).rejects.toThrow(name);
    });

    test("cut short or longer is refused", async () => {
      const dir = copy();
      truncateSync(join(dir, name), 40);
      await expect(openSnapshot(dir)).rejects.toThrow(SnapshotError);
      copyFileSync(join(published, name), join(dir, name));
      appendFileSync(writable(join(dir, name)), "x");
      await expect(openSnapshot(dir)).rejects.toThrow(SnapshotError);
    });
  });

  test("names every damaged file, and says how", async () => {
    const dir = copy();
    rmSync(join(dir, "buy_hold.arrow"));
    truncateSync(join(dir, "dca.arrow"), 8);
    await expect(openSnapshot(dir)).rejects.toThrow(
      /is damaged: buy_hold\.arrow is missing; dca\.arrow has 8 bytes, the manifest says \d+$/,
    );
  });

  test("does not depend on files that it is not served from, which verifySnapshot checks", async () => {
    const dir = copy();
    const database = await DuckDBInstance.create(join(dir, "hindsight.duckdb"));
    const connection = await database.connect();
    await connection.run(
      "CREATE VIEW mine AS SELECT coin, max(close) AS high FROM prices GROUP BY coin",
    );
    connection.closeSync();
    database.closeSync();
    rmSync(join(dir, "signals.parquet"));
    writeFileSync(join(dir, "notes.txt"), "a reader's own");
    expect((await openSnapshot(dir)).bars("aaa")?.close).toHaveLength(260);
    const problems = await verifySnapshot(dir);
    expect(problems).toHaveLength(2);
    expect(problems).toContain("signals.parquet is missing");
    expect(problems.join()).toMatch(/hindsight\.duckdb (has \d+ bytes|does not match)/);
  });

  test("refuses another snapshot's files under its name, and a name that is not a snapshot's", async () => {
    const dir = copy();
    const other = join(dir, "..", basename(dir).replace("T20261121T", "T20261122T"));
    renameSync(dir, other);
    await expect(openSnapshot(other)).rejects.toThrow("the folder holds snapshot");
    renameSync(other, join(other, "..", "backup"));
    await expect(openSnapshot(join(other, "..", "backup"))).rejects.toThrow("not a snapshot id");
  });

  test("refuses a manifest whose id is not that of its content, with checksums that fit or not", async () => {
    const dir = copy();
    const path = join(dir, MANIFEST_FILE);
    const changed = readFileSync(path, "utf8").replace('"synthetic": false', '"synthetic": true');
    writeFileSync(path, changed);
    await expect(openSnapshot(dir)).rejects.toThrow("does not match SHA256SUMS");
    const { files, synthetic } = decodeManifest(changed);
    expect(synthetic, "it was changed").toBe(true);
    writeFileSync(join(dir, CHECKSUMS_FILE), encodeChecksums(files, changed));
    await expect(openSnapshot(dir)).rejects.toThrow("the folder holds snapshot");
    writeFileSync(path, '{"format_version": 3}');
    await expect(openSnapshot(dir)).rejects.toThrow("does not match SHA256SUMS");
  });

  test("of an earlier format is not served, but can be continued", async () => {
    const dir = copy();
    const path = join(dir, MANIFEST_FILE);
    const earlier = readFileSync(path, "utf8").replace(
      '"format_version": 4',
      '"format_version": 1',
    );
    writeFileSync(path, earlier);
    writeFileSync(
      join(dir, CHECKSUMS_FILE),
      encodeChecksums(decodeManifest(earlier).files, earlier),
    );
    await expect(openSnapshot(dir)).rejects.toThrow(
      "has format version 1, this program serves version 4: run the pipeline to publish one",
    );
    expect([...(await readHistory(dir)).coins.keys()]).toEqual(["aaa", "bbb"]);
  });
});

describe("verifySnapshot", () => {
  test("finds nothing wrong with a whole one", async () => {
    expect(await verifySnapshot(published)).toEqual([]);
  });

  test("finds a flipped bit in any file", async () => {
    const dir = copy();
    for (const name of readdirSync(dir)) {
      const bytes = readFileSync(join(dir, name));
      bytes[bytes.length - 1]! ^= 128;
      writeFileSync(join(dir, name), bytes);
      const problems = await verifySnapshot(dir);
      expect({ name, problems: problems.length }).toEqual({ name, problems: 1 });
      expect(problems[0]).toContain(name);
      copyFileSync(join(published, name), join(dir, name));
    }
    expect(await verifySnapshot(dir)).toEqual([]);
  });
});

describe("findCurrent", () => {
  test("says which file the system does not read", async () => {
    const root = folder();
    mkdirSync(join(root, "CURRENT"));
    const problem = `"${join(root, "CURRENT")}" cannot be read (EISDIR)`;
    await expect(findCurrent(root)).rejects.toThrow(
      new SnapshotError(problem, { fault: "unreadable" }),
    );
  });

  test.each(["", "..", "../../etc", "a\nb"])("refuses a CURRENT of %j", async (text) => {
    const root = folder();
    writeFileSync(join(root, "CURRENT"), text);
    await expect(findCurrent(root)).rejects.toThrow("does not name a snapshot");
  });
});
